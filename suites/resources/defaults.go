package resources

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

func defaults(cluster *scene.Cluster) {
	It("gives the defaults of a LimitRange to init containers and sidecars too, which can raise what the Pod asks for", requirement.Checks("RES-08"), func(ctx SpecContext) {
		s := cluster.Open(ctx)
		s.CreateLimitRange(ctx, fixtures.LimitRange(fixtures.Resources("600m", "96Mi", "1", "128Mi")))
		quota := openQuota(ctx, s)

		stored := s.CreatePod(ctx, fixtures.Pod("agent",
			sidecar(corev1.ResourceRequirements{}), initial(corev1.ResourceRequirements{}), apps(cpu("100m")), fixtures.Unscheduled))

		for _, container := range stored.Spec.InitContainers {
			scene.Saw("%s asks for nothing and gets %s", container.Name, describe(container.Resources.Requests))
			Expect(container.Resources).To(Equal(fixtures.Resources("600m", "96Mi", "1", "128Mi")), container.Name)
		}
		used := quota.afterPods(ctx, 1)
		scene.Saw("the quota is charged with %s", describe(used))
		Expect(used).To(charge(amounts{requestsCPU: "1200m", requestsMemory: "192Mi"}))
	})
}
