package termination

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/fixtures/workload"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

func endpoints(cluster *scene.Cluster) {
	It("takes a Pod that is asked to end off the ready endpoints, while it still serves", requirement.Checks("TERM-07"), func(ctx SpecContext) {
		s := cluster.Open(ctx)
		s.CreateService(ctx, "agents", fixtures.Pod("any").Labels)
		pod := s.CreatePod(ctx, fixtures.Pod("leaving", fixtures.GracePeriod(30), fixtures.With(fixtures.Container("app",
			workload.OnTerm(workload.Sleep(15*time.Second)), workload.Serve()))))
		// The contrast: a Pod of the same Service that stays.
		stays := s.CreatePod(ctx, fixtures.Pod("stays"))
		s.Await(ctx, limit.PodReady, judge.ReadyEndpoint(pod).And(judge.ReadyEndpoint(stays)))

		s.DeletePod(ctx, pod)

		s.Await(ctx, limit.Status, judge.LeavingEndpoint(pod))
		Expect(s.History).To(judge.ReadyEndpoint(stays))
		s.SawContainers(pod)
	})
}
