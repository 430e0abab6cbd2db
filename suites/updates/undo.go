package updates

import (
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

func undo(cluster *scene.Cluster) {
	It("rolls back by replacing just the broken Pods, and counts the revision on", requirement.Checks("UPD-10", "UPD-15"), func(ctx SpecContext) {
		agent := running(ctx, cluster, few, unavailable("1"))
		agent.update(ctx, agent.flawed("2", fixtures.NeverInitialized))
		agent.awaitBegun(ctx, "2")
		agent.CatchUp(ctx, history.Pod)
		broken := slices.Concat(agent.departed(), uidsOf(agent.of(agent.History.Latest(), "2")))

		agent.undo(ctx)

		agent.awaitVersion(ctx, "1")
		scene.Saw("%d of %d first Pods are still there", len(agent.untouched()), agent.Nodes.Len())
		agent.expectUntouched(agent.Nodes.Len() - 1)
		Expect(agent.History).To(judge.NoneLeavesBut(agent.set.UID, broken...))
		Expect(agent.History).To(judge.RevisionsAre(agent.set.UID, 2, 3))
		Expect(agent.History).To(judge.RevisionsDiffer(agent.set.UID))
		Expect(agent.History).To(judge.RevisionsRise(agent.set.UID))
	})

	It("rolls back a surge by deleting the new Pods and keeping all the old ones", requirement.Checks("UPD-12"), func(ctx SpecContext) {
		agent := running(ctx, cluster, few, surging("1"))
		agent.update(ctx, agent.flawed("2", fixtures.NeverInitialized))
		agent.awaitBegun(ctx, "2")

		agent.undo(ctx)

		agent.awaitVersion(ctx, "1")
		agent.expectUntouched(agent.Nodes.Len())
		Expect(agent.History).To(agent.AvailableThroughout())
	})
}
