package nodes

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

// table is which condition becomes which taints. A node that is well has the
// opposite.
var table = []struct {
	condition corev1.NodeConditionType
	ill, well corev1.ConditionStatus
	taints    []corev1.Taint
}{
	{corev1.NodeReady, corev1.ConditionFalse, corev1.ConditionTrue, both(corev1.TaintNodeNotReady)},
	{corev1.NodeMemoryPressure, corev1.ConditionTrue, corev1.ConditionFalse, []corev1.Taint{noSchedule(corev1.TaintNodeMemoryPressure)}},
	{corev1.NodeDiskPressure, corev1.ConditionTrue, corev1.ConditionFalse, []corev1.Taint{noSchedule(corev1.TaintNodeDiskPressure)}},
	{corev1.NodePIDPressure, corev1.ConditionTrue, corev1.ConditionFalse, []corev1.Taint{noSchedule(corev1.TaintNodePIDPressure)}},
	{corev1.NodeNetworkUnavailable, corev1.ConditionTrue, corev1.ConditionFalse, []corev1.Taint{noSchedule(corev1.TaintNodeNetworkUnavailable)}},
}

func taints(cluster *scene.Cluster) {
	It("turns each condition that a node reports into its taint, and takes that off with it", requirement.Checks("NODE-01"), func(ctx SpecContext) {
		stage := cluster.OpenApart(ctx)
		made := stage.SimulateNode(ctx)

		for _, row := range table {
			stage.Post(ctx, made, corev1.NodeCondition{Type: row.condition, Status: row.ill, Reason: "Simulated"})
			stage.Await(ctx, limit.Status, judge.Tainted(made.Node.Name, row.taints...))
			scene.Saw("%s=%s: %s", row.condition, row.ill, judge.DescribeNode(stage.History.Latest().Node(made.Node.Name)))
			stage.Post(ctx, made, corev1.NodeCondition{Type: row.condition, Status: row.well, Reason: "Simulated"})
			stage.Await(ctx, limit.Status, judge.Untainted(made.Node.Name, row.taints[0].Key))
		}
		for _, row := range table[1:] {
			Expect(stage.History).To(judge.NeverTainted(made.Node.Name, noExecute(row.taints[0].Key)))
		}
	})

	It("taints a node that takes no Pods for as long as it takes none", requirement.Checks("NODE-01"), func(ctx SpecContext) {
		stage := cluster.OpenApart(ctx)
		made := stage.SimulateNode(ctx)

		stage.Cordon(ctx, made.Node.Name)

		stage.Await(ctx, limit.Status, judge.Tainted(made.Node.Name, noSchedule(corev1.TaintNodeUnschedulable)))
		stage.Uncordon(ctx, made.Node.Name)
		stage.Await(ctx, limit.Status, judge.Untainted(made.Node.Name, corev1.TaintNodeUnschedulable))
		Expect(stage.History).To(judge.NeverTainted(made.Node.Name, noExecute(corev1.TaintNodeUnschedulable)))
	})

	It("taints a new node from its first instant until it is Ready", requirement.Checks("NODE-01"), func(ctx SpecContext) {
		stage := cluster.OpenApart(ctx)

		made := stage.SimulateNode(ctx, node.Joining)

		stage.Await(ctx, limit.Status, judge.Tainted(made.Node.Name, noSchedule(corev1.TaintNodeNotReady)))
		Expect(stage.History).To(judge.BornWith(made.Node.UID, noSchedule(corev1.TaintNodeNotReady)))
		stage.PostReady(ctx, made, corev1.ConditionTrue)
		stage.Await(ctx, limit.Status, judge.Untainted(made.Node.Name, corev1.TaintNodeNotReady))
	})

	It("taints a node that falls silent as unreachable", requirement.Checks("NODE-01"), func(ctx SpecContext) {
		stage := cluster.OpenApart(ctx)
		made := stage.SimulateNode(ctx)
		// The contrast: a node that goes on as it was.
		other := stage.SimulateNode(ctx)

		stage.Silence(made)

		awaitUnreachable(ctx, stage, made)
		scene.Saw("silent: %s", judge.DescribeNode(stage.History.Latest().Node(made.Node.Name)))
		Expect(stage.History).To(judge.StaysReady(other.Node.Name))
		for _, taint := range both(corev1.TaintNodeUnreachable) {
			Expect(stage.History).To(judge.NeverTainted(other.Node.Name, taint))
		}
	})
}

func pressure(cluster *scene.Cluster) {
	It("keeps new Pods from a node under pressure, and evicts none from it", requirement.Checks("NODE-02"), func(ctx SpecContext) {
		stage := cluster.OpenApart(ctx)
		made := stage.SimulateNode(ctx)
		awaitKnown(ctx, stage)
		before := ordinaryOn(ctx, stage, "before", made)

		stage.Post(ctx, made, corev1.NodeCondition{Type: corev1.NodeMemoryPressure, Status: corev1.ConditionTrue, Reason: "Simulated"})

		stage.Await(ctx, limit.Status, judge.Tainted(made.Node.Name, noSchedule(corev1.TaintNodeMemoryPressure)))
		// The contrast among new Pods: a DaemonSet's tolerates the pressure.
		daemonOn(ctx, stage, "agent", made)
		after := stage.CreatePod(ctx, fixtures.Pod("after", on(made)))
		stage.Await(ctx, limit.Placement, judge.Is(after, "is found to fit nowhere", unschedulable))
		Expect(stage.History).To(judge.KeptReady(before))
		Expect(stage.History).To(judge.Undisturbed(before))
		// The contrast for the one that stays: what does evict it.
		stage.Taint(ctx, made.Node.Name, noExecute("rollcall.dev/evacuated"))
		stage.Await(ctx, limit.PodGone, judge.Gone(before))
	})
}

func unschedulable(pod *corev1.Pod) bool {
	condition := judge.PodCondition(pod, corev1.PodScheduled)
	return condition != nil && condition.Status == corev1.ConditionFalse && condition.Reason == corev1.PodReasonUnschedulable
}
