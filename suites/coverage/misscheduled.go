package coverage

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

func misscheduled(cluster *scene.Cluster) {
	It("counts a node as misscheduled that has a Pod and does not take it any more", requirement.Checks("COV-15"), func(ctx SpecContext) {
		stage := cluster.OpenApart(ctx)
		stage.SimulateNode(ctx, stage.Pooled())
		closing := stage.SimulateNode(ctx, stage.Pooled())
		agent := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("agent", stage.AmongPool()))
		nodes := stage.Targets(agent, 2)
		awaitCovered(ctx, stage, agent, nodes)

		stage.Taint(ctx, closing.Node.Name, reserved)

		awaitUnlessKnown(ctx, stage, agent, staleCounts, judge.Counts(agent.Name, 1, 1))
		scene.Saw("the status says: %s", judge.DescribeStatus(stage.History.Latest().DaemonSet(agent.Name).Status))
		// The contrast: without the taint, the number goes back to none.
		stage.Untaint(ctx, closing.Node.Name, reserved)
		stage.Await(ctx, limit.Status, judge.Complete(agent.Name, nodes))
		Expect(stage.History).To(judge.NoneLeavesBut(agent.UID))
	})
}
