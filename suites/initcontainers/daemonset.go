package initcontainers

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

func daemonSet(cluster *scene.Cluster) {
	It("keeps order, waiting and phase in each Pod of a DaemonSet on every node", requirement.Checks("INI-20"), func(ctx SpecContext) {
		s := cluster.Open(ctx)
		agent := s.CreateDaemonSet(ctx, fixtures.DaemonSet("agent",
			fixtures.Init(takesTurn("first"), takesTurn("second", workload.ReportFile(turns))), fixtures.SharedDir))
		nodes := s.Eligible(agent)
		Expect(nodes.Eligible).NotTo(BeEmpty(), "a DaemonSet without a node shows nothing")

		state := s.Await(ctx, limit.InitSequence, judge.ReadyOnEach(agent.UID, nodes))

		pods := judge.PodsByNode(state, agent.UID, nodes)
		for _, node := range nodes.Eligible {
			pod := pods[node]
			Expect(s.History).To(judge.InitInOrder(pod))
			Expect(s.History).To(judge.AppWaitsForInit(pod))
			Expect(s.History).To(judge.PendingWhileInitializing(pod))
			Expect(s.History).To(judge.Reported(pod, "second", "first begins", "first ends", "second begins", "second ends"))
			s.SawContainers(pod)
		}
	})
}
