package qos

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

// example is a Pod and the class that the documentation promises it.
type example struct {
	id    string
	class corev1.PodQOSClass
	when  string
	pod   []fixtures.PodOption
}

// specs describes a spec for each example: a dry run shows the class that the
// API server would store.
func specs(cluster *scene.Cluster, examples []example) {
	for _, e := range examples {
		It(fmt.Sprintf("makes a Pod %s when %s", e.class, e.when), requirement.Checks(e.id), func(ctx SpecContext) {
			asked := fixtures.Pod("agent", e.pod...)

			got, err := cluster.Desk(ctx).Pod(ctx, asked.DeepCopy())

			expectClass(asked, got, err, e.class)
		})
	}
}

// expectClass expects the answer to a dry run to be of a class.
func expectClass(asked, got *corev1.Pod, err error, class corev1.PodQOSClass) {
	GinkgoHelper()
	scene.Must(err)
	scene.DoubtIfChanged(asked, got)
	scene.Saw("the API server would store the Pod as %s", got.Status.QOSClass)
	Expect(got.Status.QOSClass).To(Equal(class))
}

// The containers of the examples. Only their resources matter.

func app(resources corev1.ResourceRequirements) fixtures.PodOption {
	return fixtures.With(named("app", resources))
}

func apps(first, second corev1.ResourceRequirements) fixtures.PodOption {
	return fixtures.With(named("app", first), named("other", second))
}

func initial(resources corev1.ResourceRequirements) fixtures.PodOption {
	return fixtures.Init(named("prepare", resources))
}

func sidecar(resources corev1.ResourceRequirements) fixtures.PodOption {
	container := named("proxy", resources)
	always := corev1.ContainerRestartPolicyAlways
	container.RestartPolicy = &always
	return fixtures.Init(container)
}

func named(name string, resources corev1.ResourceRequirements) corev1.Container {
	container := fixtures.Container(name, workload.Serve())
	container.Resources = resources
	return container
}

// wholePod sets resources of the Pod itself.
func wholePod(resources corev1.ResourceRequirements) fixtures.PodOption {
	return func(t *corev1.PodTemplateSpec) { t.Spec.Resources = &resources }
}
