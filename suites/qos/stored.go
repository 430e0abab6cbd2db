package qos

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/fixtures/workload"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

// classLasts needs a Pod that is stored; no scheduler picks it up, so it never
// starts.
func classLasts(cluster *scene.Cluster) {
	It("keeps a Pod's class when an ephemeral container is added", requirement.Checks("QOS-24"), func(ctx SpecContext) {
		stage := cluster.Open(ctx)
		stored := stage.CreatePod(ctx, fixtures.Pod("agent", app(equal), fixtures.Unscheduled))
		stored.Spec.EphemeralContainers = []corev1.EphemeralContainer{debugger(cluster.Image)}

		got, err := cluster.Client.CoreV1().Pods(stage.Namespace).UpdateEphemeralContainers(ctx, stored.Name, stored, metav1.UpdateOptions{})

		scene.Must(err)
		scene.Saw("%s before, %s with %d ephemeral container", stored.Status.QOSClass, got.Status.QOSClass, len(got.Spec.EphemeralContainers))
		Expect(got.Spec.EphemeralContainers).To(HaveLen(1))
		Expect(stored.Status.QOSClass).To(Equal(corev1.PodQOSGuaranteed))
		Expect(got.Status.QOSClass).To(Equal(corev1.PodQOSGuaranteed))
	})
}

// debugger names no resources: an ordinary container like it would make the
// Pod Burstable (QOS-09).
func debugger(image string) corev1.EphemeralContainer {
	container := named("debugger", nothing)
	container.Command = workload.Command(workload.Serve())
	container.Image = image
	return corev1.EphemeralContainer{EphemeralContainerCommon: corev1.EphemeralContainerCommon(container)}
}

// classOfWhatIsStored shows that the class is that of the Pod after admission.
func classOfWhatIsStored(cluster *scene.Cluster) {
	It("gives a Pod the class of what a LimitRange made of it", requirement.Checks("QOS-25"), func(ctx SpecContext) {
		stage := cluster.Open(ctx)
		desk := stage.Desk()
		stage.CreateLimitRange(ctx, fixtures.LimitRange(equal))

		got, err := desk.Pod(ctx, fixtures.Pod("agent", app(nothing)))

		scene.Must(err)
		scene.Saw("a Pod that asks for nothing gets %v and is %s", got.Spec.Containers[0].Resources.Limits, got.Status.QOSClass)
		Expect(got.Status.QOSClass).To(Equal(corev1.PodQOSGuaranteed))
	})
}
