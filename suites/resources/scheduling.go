package resources

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

// moreThanAnyNode is a request that no node can meet.
const moreThanAnyNode = "1000000"

func scheduling(cluster *scene.Cluster) {
	It("leaves the Pods of a DaemonSet Pending on every node where an init container asks for too much, and counts them as desired", requirement.Checks("RES-07"), func(ctx SpecContext) {
		s := cluster.Open(ctx)
		tiny := fixtures.Resources("5m", "8Mi", "", "")
		huge := fixtures.Resources(moreThanAnyNode, "8Mi", "", "")
		// The contrast: the same Pods with an init container that asks for little.
		contrast := s.CreateDaemonSet(ctx, fixtures.DaemonSet("contrast", initial(tiny), apps(tiny)))
		nodes := s.Targets(contrast, 1)

		greedy := s.CreateDaemonSet(ctx, fixtures.DaemonSet("greedy", initial(huge), apps(tiny)))

		s.Await(ctx, limit.PodReady, judge.ReadyOnEach(contrast.UID, nodes))
		state := s.Await(ctx, limit.Placement, judge.EachPod(greedy.UID, "is Pending, for no node has enough CPU", notUnschedulable).
			And(judge.PodOnEach(greedy.UID, nodes)).And(judge.Scheduled(greedy.Name, nodes)))
		for _, pod := range state.PodsOf(greedy.UID) {
			scene.Saw("for %s: %s", judge.TargetNode(pod), judge.DescribePod(pod))
			Expect(s.History).To(judge.NeverStarted(pod, "init1"))
		}
		scene.Saw("the status says: %s", judge.DescribeStatus(state.DaemonSet(greedy.Name).Status))
	})
}

// notUnschedulable says how a Pod differs from one that the scheduler cannot
// place.
func notUnschedulable(pod *corev1.Pod) string {
	scheduled := judge.PodCondition(pod, corev1.PodScheduled)
	if scheduled == nil || scheduled.Status != corev1.ConditionFalse || scheduled.Reason != corev1.PodReasonUnschedulable || pod.Spec.NodeName != "" {
		return judge.DescribePod(pod)
	}
	return ""
}
