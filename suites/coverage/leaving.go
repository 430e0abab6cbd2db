package coverage

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

// reaction is how long it is watched that a controller which reacts to a watch,
// within a second or two, does nothing.
const reaction = 5 * time.Second

// absence is how long a node is away that comes back in time: longer than from
// one look of the Pod garbage collector to the next, which is 20 s, so that it is
// missed, and less than its quarantine of 40 s.
const absence = 25 * time.Second

func leaving(cluster *scene.Cluster) {
	It("loses the Pod of a node that leaves, and no other", requirement.Checks("COV-07"), func(ctx SpecContext) {
		stage := cluster.OpenApart(ctx)
		stage.SimulateNode(ctx, stage.Pooled())
		leaver := stage.SimulateNode(ctx, stage.Pooled())
		agent := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("agent", stage.AmongPool()))
		nodes := stage.Targets(agent, 2)
		awaitCovered(ctx, stage, agent, nodes)
		orphan := podOn(stage, agent, nodes, leaver)

		stage.Leave(ctx, leaver)

		stage.Await(ctx, limit.Orphaned, judge.Gone(orphan))
		awaitCovered(ctx, stage, agent, stage.Targets(agent, 1))
		Expect(stage.History).To(judge.NoneLeavesBut(agent.UID, orphan.UID))
		scene.Saw("Pod %s of the node that left was removed", orphan.Name)
	})

	It("keeps the Pod of a node that is back under its name before the quarantine is over", requirement.Checks("COV-08"), func(ctx SpecContext) {
		stage := cluster.OpenApart(ctx)
		returning := stage.SimulateNode(ctx, stage.Pooled())
		// The contrast: a node that leaves with it and stays away.
		leaver := stage.SimulateNode(ctx, stage.Pooled())
		agent := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("agent", stage.AmongPool()))
		nodes := stage.Targets(agent, 2)
		awaitCovered(ctx, stage, agent, nodes)
		kept, orphan := podOn(stage, agent, nodes, returning), podOn(stage, agent, nodes, leaver)
		first := returning.Node.UID

		stage.Leave(ctx, returning)
		stage.Leave(ctx, leaver)
		stage.Hold(ctx, absence, "the nodes are missed")
		stage.Rejoin(ctx, returning)

		stage.Await(ctx, limit.Orphaned, judge.Gone(orphan))
		awaitCovered(ctx, stage, agent, stage.Targets(agent, 1))
		scene.Saw("node %s was %s and is %s, and kept Pod %s", returning.Node.Name, first, returning.Node.UID, kept.Name)
		Expect(returning.Node.UID).NotTo(Equal(first))
		Expect(stage.History).To(judge.Undisturbed(kept))
		Expect(stage.History).To(judge.NoneMadeBut(agent.UID, returning.Node.Name, kept.UID))
	})

	It("loses a Pod that was still waiting for a node that has left", requirement.Checks("COV-09"), func(ctx SpecContext) {
		stage := cluster.OpenApart(ctx)
		stays := stage.SimulateNode(ctx, stage.Pooled())
		leaver := stage.SimulateNode(ctx, stage.Pooled())
		agent := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("agent", stage.AmongPool(), fixtures.Unscheduled))
		nodes := stage.Targets(agent, 2)
		awaitPlaced(ctx, stage, agent, nodes)
		waits, stranded := podOn(stage, agent, nodes, stays), podOn(stage, agent, nodes, leaver)

		stage.Leave(ctx, leaver)

		awaitUnlessKnown(ctx, stage, agent, unnoticedLeave, judge.Gone(stranded))
		stage.CatchUp(ctx, history.Pod)
		// The contrast: its twin on a node that is there waits on.
		Expect(stage.History).To(judge.Undisturbed(waits))
	})
}
