package coverage

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

func adoption(cluster *scene.Cluster) {
	It("adopts the Pods that another DaemonSet with the same selector left behind", requirement.Checks("COV-31"), func(ctx SpecContext) {
		stage := cluster.Open(ctx)
		first := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("agent", fixtures.Unscheduled))
		nodes := stage.Targets(first, 1)
		left := uidsOf(judge.PodsByNode(awaitPlaced(ctx, stage, first, nodes), first.UID, nodes))
		stage.DeleteDaemonSet(ctx, first, metav1.DeletePropagationOrphan)
		stage.Await(ctx, limit.Collected, judge.Removed(first.Name, first.UID))

		second := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("agent", fixtures.Unscheduled))

		state := awaitPlaced(ctx, stage, second, nodes)
		scene.Saw("%d Pods of UID %s now belong to UID %s", len(left), first.UID, second.UID)
		Expect(uidsOf(judge.PodsByNode(state, second.UID, nodes))).To(Equal(left))
		Expect(stage.History).To(judge.NoneLeavesBut(second.UID))
	})

	It("lets go of a Pod whose labels no longer match, and replaces it", requirement.Checks("COV-32"), func(ctx SpecContext) {
		stage := cluster.Open(ctx)
		agent := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("agent", fixtures.Unscheduled))
		nodes := stage.Targets(agent, 1)
		pod := judge.PodsByNode(awaitPlaced(ctx, stage, agent, nodes), agent.UID, nodes)[nodes.Eligible[0]]

		stage.UpdatePod(ctx, pod.Name, "take the selector's label off Pod "+pod.Name, func(pod *corev1.Pod) {
			pod.Labels["app.kubernetes.io/name"] = "released"
		})

		state := stage.Await(ctx, limit.Placement, judge.Orphaned(pod).And(judge.PodOnEach(agent.UID, nodes)))
		stage.CatchUp(ctx, history.Pod)
		scene.Saw("for node %s there are %s, which belongs to nobody, and %s", nodes.Eligible[0], pod.Name,
			judge.PodsByNode(state, agent.UID, nodes)[nodes.Eligible[0]].Name)
		Expect(stage.History).To(judge.Orphaned(pod))
		Expect(stage.History).To(judge.NoneLeavesBut(agent.UID))
	})
}

func uidsOf(pods map[string]*corev1.Pod) map[string]types.UID {
	uids := map[string]types.UID{}
	for node, pod := range pods {
		uids[node] = pod.UID
	}
	return uids
}
