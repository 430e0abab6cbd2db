package coverage

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/node"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

// The taints of an administrator, which no DaemonSet tolerates by itself.
var (
	reserved  = corev1.Taint{Key: "rollcall.dev/reserved", Effect: corev1.TaintEffectNoSchedule}
	evacuated = corev1.Taint{Key: "rollcall.dev/evacuated", Effect: corev1.TaintEffectNoExecute}
)

func taintedNodes(cluster *scene.Cluster) {
	It("keeps off a node with a taint that the template does not tolerate, and does not count it", requirement.Checks("COV-05"), func(ctx SpecContext) {
		stage := cluster.OpenApart(ctx)
		stage.SimulateNode(ctx, stage.Pooled())
		stage.SimulateNode(ctx, stage.Pooled(), node.Tainted(reserved))
		stage.SimulateNode(ctx, stage.Pooled(), node.Tainted(evacuated))

		agent := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("agent", stage.AmongPool()))
		// The contrast: one that tolerates the taints gets all three nodes.
		tolerant := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("tolerant", stage.AmongPool(), fixtures.Tolerate(
			corev1.Toleration{Key: reserved.Key, Operator: corev1.TolerationOpExists},
			corev1.Toleration{Key: evacuated.Key, Operator: corev1.TolerationOpExists},
		)))

		awaitCovered(ctx, stage, tolerant, stage.Targets(tolerant, 3))
		nodes := stage.Targets(agent, 1)
		Expect(nodes.Len()).To(Equal(1))
		awaitCovered(ctx, stage, agent, nodes)
		Expect(stage.History).To(judge.NeverElsewhere(agent.UID, nodes))
	})
}

func joining(cluster *scene.Cluster) {
	It("gives a node that joins its Pod once that is Ready, without being told", requirement.Checks("COV-06"), func(ctx SpecContext) {
		stage := cluster.OpenApart(ctx)
		stage.SimulateNode(ctx, stage.Pooled())
		agent := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("agent", stage.AmongPool()))
		before := stage.Targets(agent, 1)
		awaitCovered(ctx, stage, agent, before)

		// The contrast: a node that joins and is not selected gets none.
		stage.SimulateNode(ctx)
		late := stage.SimulateNode(ctx, stage.Pooled(), node.Joining)
		stage.Hold(ctx, reaction, "a node that is not Ready yet gets no Pod")
		Expect(stage.History).To(judge.PodOnEach(agent.UID, before))
		Expect(stage.History).To(judge.NoneMadeBut(agent.UID, late.Node.Name))
		stage.PostReady(ctx, late, corev1.ConditionTrue)

		stage.Await(ctx, limit.Status, judge.Untainted(late.Node.Name, corev1.TaintNodeNotReady))
		after := stage.Targets(agent, 2)
		awaitCovered(ctx, stage, agent, after)
		Expect(stage.History).To(judge.NoneLeavesBut(agent.UID))
		Expect(stage.History).To(judge.NeverElsewhere(agent.UID, after))
		Expect(stage.History.Latest().DaemonSet(agent.Name).Generation).To(Equal(agent.Generation))
	})
}
