package termination

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

func force(cluster *scene.Cluster) {
	It("removes a Pod that is deleted by force at once, without waiting for the end of its containers", requirement.Checks("TERM-04"), func(ctx SpecContext) {
		s := cluster.Open(ctx)
		// Its app ignores SIGTERM, so that no node could report its end so soon.
		forced := s.CreatePod(ctx, fixtures.Pod("forced", fixtures.With(fixtures.Container("app", stubborn()...))))
		contrast := s.CreatePod(ctx, fixtures.Pod("contrast", inNoHurry))
		s.Await(ctx, limit.PodReady, judge.IsReady(forced).And(judge.IsReady(contrast)))

		s.ForceDeletePod(ctx, forced)
		s.DeletePod(ctx, contrast)

		s.Await(ctx, limit.PodGone, judge.Gone(forced).And(judge.Gone(contrast)))
		Expect(s.History).To(judge.RemovedWhileRunning(forced, "app"))
		Expect(s.History).To(judge.RemovedIn(contrast, corev1.PodSucceeded))
		s.SawContainers(forced, contrast)
	})
}
