package tolerations

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

func memoryPressure(cluster *scene.Cluster) {
	It("lets Pods that ask for resources tolerate memory pressure, and others not", requirement.Checks("TOL-18"), func(ctx SpecContext) {
		tolerant := map[corev1.PodQOSClass]bool{}
		for _, resources := range []corev1.ResourceRequirements{
			fixtures.Resources("100m", "64Mi", "100m", "64Mi"), fixtures.Resources("100m", "64Mi", "", ""), {},
		} {
			pod := fixtures.Pod("ordinary")
			pod.Spec.Containers[0].Resources = resources
			got, err := cluster.Desk(ctx).Pod(ctx, pod)
			scene.Must(err)
			tolerant[got.Status.QOSClass] = len(judge.TolerationsFor(got, corev1.TaintNodeMemoryPressure)) > 0
			scene.Saw("a %s Pod would have the tolerations %s", got.Status.QOSClass, judge.DescribeTolerations(got.Spec.Tolerations))
		}

		if !tolerant[corev1.PodQOSGuaranteed] && !tolerant[corev1.PodQOSBurstable] {
			cluster.Waive(noMemoryToleration, "neither a Guaranteed nor a Burstable Pod gets the toleration")
			return
		}
		Expect(tolerant).To(Equal(map[corev1.PodQOSClass]bool{
			corev1.PodQOSGuaranteed: true, corev1.PodQOSBurstable: true, corev1.PodQOSBestEffort: false,
		}))
	})
}
