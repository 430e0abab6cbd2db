package initcontainers

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

func validation(cluster *scene.Cluster) {
	probe := &corev1.Probe{ProbeHandler: corev1.ProbeHandler{Exec: &corev1.ExecAction{Command: []string{"/workload"}}}}
	handler := &corev1.Lifecycle{PreStop: &corev1.LifecycleHandler{Exec: probe.Exec}}
	for _, example := range []struct {
		text   string
		field  string
		change func(*corev1.Container)
	}{
		{"a liveness probe of an init container", "spec.initContainers[0].livenessProbe", func(c *corev1.Container) { c.LivenessProbe = probe }},
		{"a readiness probe of an init container", "spec.initContainers[0].readinessProbe", func(c *corev1.Container) { c.ReadinessProbe = probe }},
		{"a startup probe of an init container", "spec.initContainers[0].startupProbe", func(c *corev1.Container) { c.StartupProbe = probe }},
		{"a lifecycle handler of an init container", "spec.initContainers[0].lifecycle", func(c *corev1.Container) { c.Lifecycle = handler }},
		{"an init container with the name of an app container", "spec.initContainers[0].name", func(c *corev1.Container) { c.Name = "app" }},
		{"an unknown restart policy of an init container", "spec.initContainers[0].restartPolicy", func(c *corev1.Container) {
			c.RestartPolicy = ptr.To(corev1.ContainerRestartPolicy("Sometimes"))
		}},
	} {
		It("refuses "+example.text, requirement.Checks("INI-15"), func(ctx SpecContext) {
			desk := cluster.Desk(ctx)
			_, err := desk.Pod(ctx, podWithInit(func(*corev1.Container) {}))
			Expect(err).NotTo(HaveOccurred(), "the same Pod without the mistake")

			_, err = desk.Pod(ctx, podWithInit(example.change))

			Expect(err).To(judge.RefusedAt(example.field))
			scene.Saw("refused: %v", err)
		})
	}
}

func podWithInit(change func(*corev1.Container)) *corev1.Pod {
	container := fixtures.Container("init")
	change(&container)
	return fixtures.Pod("refused", fixtures.Init(container))
}
