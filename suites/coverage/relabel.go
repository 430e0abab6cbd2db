package coverage

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	appsv1 "k8s.io/api/apps/v1"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/node"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

// settled is how long after the last thing that is waited for the controllers have
// done what else they do.
const settled = 3 * time.Second

func relabel(cluster *scene.Cluster) {
	It("takes its Pod from a node that loses the label", requirement.Checks("COV-10"), func(ctx SpecContext) {
		stage := cluster.OpenApart(ctx)
		leaver, agent, nodes := twoPooled(ctx, stage)
		awaitCovered(ctx, stage, agent, nodes)
		awaitSettled(ctx, stage)
		left := podOn(stage, agent, nodes, leaver)

		stage.Unlabel(ctx, leaver.Node.Name, scene.PoolLabel)

		stage.Await(ctx, limit.Placement, judge.Gone(left))
		rest := stage.Targets(agent, 1)
		Expect(rest.Len()).To(Equal(1))
		awaitCovered(ctx, stage, agent, rest)
		Expect(stage.History).To(judge.NoneLeavesBut(agent.UID, left.UID))
	})

	It("takes its Pod from a node that loses the label, even if it was still waiting", requirement.Checks("COV-10"), func(ctx SpecContext) {
		stage := cluster.OpenApart(ctx)
		leaver, agent, nodes := twoPooled(ctx, stage, fixtures.Unscheduled)
		awaitPlaced(ctx, stage, agent, nodes)
		awaitSettled(ctx, stage)
		left := podOn(stage, agent, nodes, leaver)

		stage.Unlabel(ctx, leaver.Node.Name, scene.PoolLabel)

		rest := stage.Targets(agent, 1)
		awaitUnlessKnown(ctx, stage, agent, waitsOnUnlabelled, judge.Gone(left).And(judge.Scheduled(agent.Name, rest)))
		stage.CatchUp(ctx, history.Pod)
		Expect(stage.History).To(judge.NoneLeavesBut(agent.UID, left.UID))
	})

	It("gives a node that gains the label its Pod", requirement.Checks("COV-11"), func(ctx SpecContext) {
		stage := cluster.OpenApart(ctx)
		stage.SimulateNode(ctx, stage.Pooled())
		gainer := stage.SimulateNode(ctx)
		agent := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("agent", stage.AmongPool()))
		before := stage.Targets(agent, 1)
		awaitCovered(ctx, stage, agent, before)
		// The contrast: until it has the label, the node has no Pod.
		awaitSettled(ctx, stage)
		Expect(stage.History).To(judge.NeverElsewhere(agent.UID, before))

		stage.Label(ctx, gainer.Node.Name, scene.PoolLabel, stage.Namespace)

		awaitCovered(ctx, stage, agent, stage.Targets(agent, 2))
		Expect(stage.History).To(judge.NoneLeavesBut(agent.UID))
	})

	It("hands a node over to another DaemonSet when its label moves", requirement.Checks("COV-12"), func(ctx SpecContext) {
		stage := cluster.OpenApart(ctx)
		made := stage.SimulateNode(ctx)
		stage.Label(ctx, made.Node.Name, scene.PoolLabel, stage.Namespace+"-blue")
		blue, green := ofPool(ctx, stage, "blue"), ofPool(ctx, stage, "green")
		awaitCovered(ctx, stage, blue, stage.Targets(blue, 1))
		awaitCovered(ctx, stage, green, stage.Eligible(green))
		awaitSettled(ctx, stage)

		stage.Label(ctx, made.Node.Name, scene.PoolLabel, stage.Namespace+"-green")

		awaitCovered(ctx, stage, green, stage.Targets(green, 1))
		none := stage.Eligible(blue)
		stage.Await(ctx, limit.PodGone, judge.Podless(blue.UID, none).And(judge.Complete(blue.Name, none)))
	})
}

// awaitSettled lets whatever else makes the controller look at its DaemonSets end, so
// that only the change of a node can make it act.
func awaitSettled(ctx SpecContext, stage *scene.Scene) {
	GinkgoHelper()
	stage.Hold(ctx, settled, "nothing happens before the label changes")
}

// twoPooled makes two nodes of a pool and a DaemonSet for it, and returns the
// node that may leave the pool.
func twoPooled(ctx SpecContext, stage *scene.Scene, options ...fixtures.PodOption) (*node.Simulated, *appsv1.DaemonSet, judge.Nodes) {
	GinkgoHelper()
	stage.SimulateNode(ctx, stage.Pooled())
	leaver := stage.SimulateNode(ctx)
	stage.Label(ctx, leaver.Node.Name, scene.PoolLabel, stage.Namespace)
	agent := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("agent", append(options, stage.AmongPool())...))
	return leaver, agent, stage.Targets(agent, 2)
}

// ofPool makes a DaemonSet for a pool of a colour.
func ofPool(ctx SpecContext, stage *scene.Scene, colour string) *appsv1.DaemonSet {
	GinkgoHelper()
	return stage.CreateDaemonSet(ctx, fixtures.DaemonSet(colour, fixtures.Among(scene.PoolLabel, stage.Namespace+"-"+colour, node.FenceOf(stage.RunID))))
}
