package sidecars

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/fixtures/workload"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

func validation(cluster *scene.Cluster) {
	probe := fixtures.Probe(workload.Exit(0))
	probe.SuccessThreshold = 1
	for _, example := range []struct {
		text   string
		field  string
		change func(*corev1.Container)
	}{
		{"a startup probe", "startupProbe", func(c *corev1.Container) { c.StartupProbe = probe }},
		{"a readiness probe", "readinessProbe", func(c *corev1.Container) { c.ReadinessProbe = probe }},
		{"a liveness probe", "livenessProbe", func(c *corev1.Container) { c.LivenessProbe = probe }},
		{"a lifecycle handler", "lifecycle", func(c *corev1.Container) {
			c.Lifecycle = &corev1.Lifecycle{PreStop: &corev1.LifecycleHandler{Exec: fixtures.Exec(workload.Exit(0))}}
		}},
	} {
		It("may have "+example.text+", which an init container that must end may not", requirement.Checks("SID-08"), func(ctx SpecContext) {
			desk := cluster.Desk(ctx)
			ordinary, sidecar := fixtures.Container("init"), fixtures.Sidecar("init", workload.Serve())
			example.change(&ordinary)
			example.change(&sidecar)

			_, refusal := desk.Pod(ctx, fixtures.Pod("ordinary", fixtures.Init(ordinary)))
			got, err := desk.Pod(ctx, fixtures.Pod("sidecar", fixtures.Init(sidecar)))

			scene.Must(err)
			Expect(refusal).To(judge.RefusedAt("spec.initContainers[0]." + example.field))
			Expect(keeps(got.Spec.InitContainers[0], sidecar)).To(BeTrue(), "the API server drops %s of a sidecar", example.field)
			scene.Saw("refused of the ordinary init container: %v", refusal)
		})
	}
}

// keeps reports whether a stored sidecar has the probes and the handlers that
// were asked for.
func keeps(stored, asked corev1.Container) bool {
	return equality.Semantic.DeepDerivative(asked.StartupProbe, stored.StartupProbe) &&
		equality.Semantic.DeepDerivative(asked.ReadinessProbe, stored.ReadinessProbe) &&
		equality.Semantic.DeepDerivative(asked.LivenessProbe, stored.LivenessProbe) &&
		equality.Semantic.DeepDerivative(asked.Lifecycle, stored.Lifecycle)
}
