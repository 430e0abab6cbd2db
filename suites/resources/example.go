package resources

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/fixtures/workload"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

// example is a Pod and what it asks for as a whole, by the documentation.
type example struct {
	id   string
	text string
	pod  []fixtures.PodOption
	want amounts
}

// amounts are quantities of a quota; an empty one is not looked at.
type amounts struct{ requestsCPU, requestsMemory, limitsCPU, limitsMemory string }

// specs describes a spec for each example: a Pod that no scheduler binds is
// charged to a quota with what it asks for as a whole.
func specs(cluster *scene.Cluster, examples []example) {
	for _, e := range examples {
		It(e.text, requirement.Checks(e.id), func(ctx SpecContext) {
			s := cluster.Open(ctx)
			quota := openQuota(ctx, s)
			asked := fixtures.Pod("agent", append(e.pod, fixtures.Unscheduled)...)

			stored := s.CreatePod(ctx, asked.DeepCopy())

			scene.DoubtIfChanged(asked, stored)
			used := quota.afterPods(ctx, 1)
			scene.Saw("the quota is charged with %s", describe(used))
			Expect(used).To(charge(e.want))
		})
	}
}

// The containers of the examples. Only their resources matter.

func apps(all ...corev1.ResourceRequirements) fixtures.PodOption {
	var containers []corev1.Container
	for i, resources := range all {
		containers = append(containers, asking(fixtures.Container(fmt.Sprintf("app%d", i+1), workload.Serve()), resources))
	}
	return fixtures.With(containers...)
}

func initial(resources corev1.ResourceRequirements) fixtures.PodOption {
	return func(t *corev1.PodTemplateSpec) {
		name := fmt.Sprintf("init%d", len(t.Spec.InitContainers)+1)
		fixtures.Init(asking(fixtures.Container(name), resources))(t)
	}
}

func sidecar(resources corev1.ResourceRequirements) fixtures.PodOption {
	return func(t *corev1.PodTemplateSpec) {
		name := fmt.Sprintf("sidecar%d", len(t.Spec.InitContainers)+1)
		fixtures.Init(asking(fixtures.Sidecar(name, workload.Serve()), resources))(t)
	}
}

func asking(container corev1.Container, resources corev1.ResourceRequirements) corev1.Container {
	container.Resources = *resources.DeepCopy()
	return container
}

// cpu asks for CPU and leaves memory at the same for everybody, with limits far
// above both.
func cpu(request string) corev1.ResourceRequirements {
	return fixtures.Resources(request, "8Mi", "10", "1Gi")
}

// limited sets limits and next to no requests.
func limited(cpu, memory string) corev1.ResourceRequirements {
	return fixtures.Resources("1m", "1Mi", cpu, memory)
}

func pod(options ...fixtures.PodOption) []fixtures.PodOption { return options }
