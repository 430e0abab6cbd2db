package tolerations

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/node"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

func early(cluster *scene.Cluster) {
	It("lets a DaemonSet onto a node that is not Ready only if it tolerates that", requirement.Checks("TOL-04"), func(ctx SpecContext) {
		stage := simulated(ctx, cluster, node.Joining)
		agent := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("agent", stage.here))

		// The contrast: the controller puts this one onto the same node.
		stage.daemon(ctx, "network", corev1.Toleration{
			Key: corev1.TaintNodeNotReady, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoSchedule,
		})

		stage.Await(ctx, limit.Status, judge.Counts(agent.Name, 0, 0))
		Expect(stage.History).To(judge.NoneMadeBut(agent.UID, stage.node))
		Expect(stage.History).NotTo(judge.ReadyIs(stage.node, corev1.ConditionTrue))
		stage.PostReady(ctx, stage.machine, corev1.ConditionTrue)
		stage.Await(ctx, limit.PodReady, judge.ReadyOnEach(agent.UID, stage.eligibleSoon(ctx, agent)))
	})
}

// eligibleSoon waits until the node takes a DaemonSet.
func (s *spot) eligibleSoon(ctx SpecContext, set *appsv1.DaemonSet) judge.Nodes {
	GinkgoHelper()
	s.Await(ctx, limit.Status, judge.Untainted(s.node, corev1.TaintNodeNotReady))
	return s.Targets(set, 1)
}

func noScheduling(cluster *scene.Cluster) {
	It("leaves a DaemonSet's Pod alone on a node with NoSchedule, and sends no other after it", requirement.Checks("TOL-08"), func(ctx SpecContext) {
		stays(ctx, simulated(ctx, cluster))
	})
}

func stays(ctx SpecContext, stage *spot) {
	GinkgoHelper()
	agent, tolerant := stage.daemon(ctx, "agent"), stage.daemon(ctx, "tolerant", always)

	stage.Taint(ctx, stage.node, noSchedule)

	// The contrasts: an ordinary Pod keeps off, and a DaemonSet that tolerates the
	// taint goes on as before.
	late := stage.CreatePod(ctx, fixtures.Pod("late", stage.here))
	stage.Await(ctx, limit.Placement, judge.Is(late, "is found to fit nowhere", judge.Unschedulable))
	stage.comesBack(ctx, tolerant)
	Expect(stage.History).To(judge.Undisturbed(agent.pod))
	stage.DeletePod(ctx, agent.pod)
	stage.Await(ctx, limit.PodGone, judge.Gone(agent.pod))
	stage.comesBack(ctx, tolerant)
	stage.staysAway(ctx, agent)

	stage.Untaint(ctx, stage.node, noSchedule)
	stage.awaitDaemon(ctx, agent)
}

func silentGap(cluster *scene.Cluster) {
	It("lets a DaemonSet call itself complete while a tainted node goes without", requirement.Checks("TOL-09"), func(ctx SpecContext) {
		stage := cluster.Open(ctx)
		one, other := stage.SimulateNode(ctx), stage.SimulateNode(ctx)
		agent := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("agent", fixtures.Fenced(one.Fence, one.Node.Name, other.Node.Name)))
		leavesGap(ctx, stage, agent, other.Node.Name)
	})
}

// leavesGap expects that a DaemonSet covers all of its nodes, and then all but
// the one that gets tainted, without a word of the difference.
func leavesGap(ctx SpecContext, stage *scene.Scene, agent *appsv1.DaemonSet, tainted string) {
	GinkgoHelper()
	all := stage.Targets(agent, 2)
	state := stage.Await(ctx, limit.PodReady, judge.ReadyOnEach(agent.UID, all).And(judge.Complete(agent.Name, all)))
	lost := judge.PodsByNode(state, agent.UID, all)[tainted]

	stage.Taint(ctx, tainted, noExecute)

	left := stage.Eligible(agent)
	Expect(left.Barred).To(HaveKeyWithValue(tainted, ContainSubstring(noExecute.ToString())))
	state = stage.Await(ctx, limit.PodGone, judge.Gone(lost).And(judge.Complete(agent.Name, left)).And(judge.ReadyOnEach(agent.UID, left)))
	scene.Saw("of %d nodes, %s go without; the status says: %s", all.Len(), tainted, judge.DescribeStatus(state.DaemonSet(agent.Name).Status))
}

func preferring(cluster *scene.Cluster) {
	It("does not keep a DaemonSet from a node with PreferNoSchedule", requirement.Checks("TOL-10"), func(ctx SpecContext) {
		stage := cluster.Open(ctx)
		preferred := stage.SimulateNode(ctx, node.Tainted(corev1.Taint{Key: ours, Effect: corev1.TaintEffectPreferNoSchedule}))
		// The contrast is a node with the same taint and the strict effect.
		closed := stage.SimulateNode(ctx, node.Tainted(noSchedule))

		agent := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("agent", fixtures.Fenced(preferred.Fence, preferred.Node.Name, closed.Node.Name)))

		nodes := stage.Targets(agent, 1)
		Expect(nodes.Eligible).To(ConsistOf(preferred.Node.Name))
		stage.Await(ctx, limit.PodReady, judge.ReadyOnEach(agent.UID, nodes).And(judge.Counts(agent.Name, 1, 0)))
		stage.CatchUp(ctx, history.Pod)
		Expect(stage.History).To(judge.NeverElsewhere(agent.UID, nodes))
	})
}
