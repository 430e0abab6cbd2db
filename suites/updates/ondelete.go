package updates

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

func onDelete(cluster *scene.Cluster) {
	It("replaces no Pod by itself with OnDelete, and makes the new version where one is deleted", requirement.Checks("UPD-14"), func(ctx SpecContext) {
		agent := running(ctx, cluster, two, fixtures.OnDelete)
		deleted := agent.first[agent.Nodes.Eligible[0]]

		agent.update(ctx, fixtures.Version("2"))

		agent.Await(ctx, limit.Status, agent.updated(0))
		agent.Hold(ctx, quiet, "a Pod goes that nobody deleted")
		agent.CatchUp(ctx, history.Pod)
		Expect(agent.History).To(judge.NoneLeavesBut(agent.set.UID))
		Expect(agent.History).To(agent.updated(0))
		agent.DeletePod(ctx, deleted)
		agent.awaitBegun(ctx, "2")
		agent.Await(ctx, limit.PodReady, judge.ReadyOnEach(agent.set.UID, agent.Nodes).And(agent.updated(1)))
		agent.CatchUp(ctx, history.Pod)
		scene.Saw("one Pod was deleted by hand, and the versions are %v", agent.versions(agent.History.Latest()))
		Expect(agent.History).To(judge.NoneLeavesBut(agent.set.UID, deleted.UID))
		agent.expectUntouched(agent.Nodes.Len() - 1)
	})
}
