package sidecars

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/fixtures/workload"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

func order(cluster *scene.Cluster) {
	It("starts in the order of the init containers and goes on beside those after it", requirement.Checks("SID-01"), func(ctx SpecContext) {
		s := cluster.Open(ctx)
		up := fixtures.SharedFile("up")
		pod := s.CreatePod(ctx, fixtures.Pod("ordered",
			fixtures.Init(
				fixtures.Container("first", workload.Append(turns, "first"), workload.ExpectAbsent(up)),
				fixtures.Sidecar("proxy", workload.Expect(turns, "first"), workload.Write(up, "up"), workload.Serve()),
				// It ends only if the sidecar runs beside it.
				fixtures.Container("second", workload.Await(up, "up"), workload.Append(turns, "second")),
				fixtures.Sidecar("logger", workload.Expect(turns, "first", "second"), workload.Serve())),
			fixtures.SharedDir))

		s.Await(ctx, limit.InitSequence, judge.IsReady(pod))

		Expect(s.History).To(judge.InitInOrder(pod))
		Expect(s.History).To(judge.AppWaitsForInit(pod))
		Expect(s.History).To(judge.SidecarsFirst(pod))
		Expect(s.History).To(judge.KeepsRunning(pod, "proxy"))
		Expect(s.History).To(judge.KeepsRunning(pod, "logger"))
		s.SawContainers(pod)
	})

	It("keeps running while an init container after it fails and is retried", requirement.Checks("SID-07"), func(ctx SpecContext) {
		s := cluster.Open(ctx)
		pod := s.CreatePod(ctx, fixtures.Pod("retrying",
			fixtures.Init(
				fixtures.Sidecar("proxy", workload.Serve()),
				fixtures.Container("flaky", workload.FailTimes(attempts, 1, 7))),
			fixtures.SharedDir))

		s.Await(ctx, limit.InitSequence, judge.IsReady(pod))

		Expect(s.History).To(judge.Attempts(pod, "flaky", 7, 0))
		Expect(s.History).To(judge.KeepsRunning(pod, "proxy"))
		s.SawContainers(pod)
	})
}
