package coverage

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/fixtures/workload"
	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

func counters(cluster *scene.Cluster) {
	It("still counts a node as desired when its Pod does not fit there", requirement.Checks("COV-13"), func(ctx SpecContext) {
		stage := cluster.Open(ctx)

		giant := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("giant", fixtures.With(oversized())))

		nodes := stage.Targets(giant, 1)
		state := stage.Await(ctx, limit.Status, judge.PodOnEach(giant.UID, nodes).
			And(judge.EachPod(giant.UID, "is found not to fit", fitting)).
			And(judge.Unready(giant.Name, nodes)))
		stage.CatchUp(ctx, history.Pod)
		scene.Saw("the status says: %s", judge.DescribeStatus(state.DaemonSet(giant.Name).Status))
		Expect(stage.History).To(judge.EveryPod(giant.UID, "stays unbound", judge.Bound))
	})

	It("counts a node as scheduled as soon as there is a Pod for it, bound or not", requirement.Checks("COV-14"), func(ctx SpecContext) {
		stage := cluster.Open(ctx)

		waiting := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("waiting", fixtures.Unscheduled))

		nodes := stage.Targets(waiting, 1)
		state := stage.Await(ctx, limit.Status, judge.PodOnEach(waiting.UID, nodes).And(judge.Unready(waiting.Name, nodes)))
		stage.CatchUp(ctx, history.Pod)
		scene.Saw("the status says: %s", judge.DescribeStatus(state.DaemonSet(waiting.Name).Status))
		Expect(stage.History).To(judge.EveryPod(waiting.UID, "stays unbound", judge.Bound))
	})

	It("counts nodes, not Pods, while a rollout has two Pods on a node", requirement.Checks("COV-16"), func(ctx SpecContext) {
		stage := cluster.Open(ctx)
		surging := fixtures.RollingUpdate(fixtures.DaemonSet("surging", stage.OnSome(2, 1)), ptr.To(intstr.FromInt32(0)), ptr.To(intstr.FromString("100%")))
		agent := stage.CreateDaemonSet(ctx, surging)
		nodes := stage.Targets(agent, 1)
		awaitCovered(ctx, stage, agent, nodes)

		stage.UpdateDaemonSet(ctx, agent.Name, fixtures.Version("2"))

		stage.Await(ctx, limit.Rollout, judge.Complete(agent.Name, nodes).And(judge.ReadyOnEach(agent.UID, nodes)))
		// The contrast: there really were two Pods on a node.
		Expect(stage.History).NotTo(judge.AtMostOneLive(agent.UID))
		Expect(stage.History).To(judge.CountsNodes(agent.Name))
	})
}

// oversized returns a container that asks for more CPU than a node has.
func oversized() corev1.Container {
	container := fixtures.Container("app", workload.Serve())
	container.Resources = fixtures.Resources("100000", "16Mi", "", "64Mi")
	return container
}

// fitting finds that no scheduler has said yet that the Pod does not fit.
func fitting(pod *corev1.Pod) string {
	scheduled := judge.PodCondition(pod, corev1.PodScheduled)
	if scheduled != nil && scheduled.Status == corev1.ConditionFalse && scheduled.Reason == corev1.PodReasonUnschedulable {
		return ""
	}
	return "is " + judge.DescribePod(pod)
}
