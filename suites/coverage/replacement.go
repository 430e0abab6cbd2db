package coverage

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

// failedPod is the reason of the Event about a Pod that failed.
const failedPod = "FailedDaemonPod"

func replacement(cluster *scene.Cluster) {
	It("replaces a deleted Pod on its node, once that has ended", requirement.Checks("COV-34"), func(ctx SpecContext) {
		stage := cluster.Open(ctx)
		agent := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("agent", stage.OnSome(2, 1)))
		nodes := stage.Targets(agent, 1)
		awaitCovered(ctx, stage, agent, nodes)
		deleted := judge.PodsByNode(stage.History.Latest(), agent.UID, nodes)[nodes.Eligible[0]]

		stage.DeletePod(ctx, deleted)

		stage.Await(ctx, limit.PodGone, judge.Gone(deleted))
		state := stage.Await(ctx, limit.PodReady, judge.ReadyOnEach(agent.UID, nodes).And(judge.Complete(agent.Name, nodes)))
		stage.CatchUp(ctx, history.Pod)
		replacement := judge.PodsByNode(state, agent.UID, nodes)[nodes.Eligible[0]]
		scene.Saw("on node %s Pod %s followed %s", nodes.Eligible[0], replacement.Name, deleted.Name)
		Expect(stage.History).To(judge.AtMostOneUnfinished(agent.UID))
		Expect(stage.History).To(judge.NoneLeavesBut(agent.UID, deleted.UID))
	})

	It("replaces a Pod that has failed, and says so in an Event", requirement.Checks("COV-35"), func(ctx SpecContext) {
		stage := cluster.Open(ctx)
		node := stage.Pick(1, 1)[0]

		// Past the scheduler the kubelet gets a Pod that its node cannot hold: it
		// refuses it, and the Pod has failed.
		giant := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("giant", fixtures.With(oversized()), fixtures.NodeName(node)))

		stage.Await(ctx, limit.Placement, judge.ReplacesFailed(giant.UID).Of(stage.History.History).And(judge.Told(giant.UID, failedPod)))
		for _, event := range stage.History.Latest().EventsAbout(giant.UID) {
			scene.Saw("event %s: %s", event.Reason, event.Message)
		}
	})

	It("never has two live Pods on a node during an update without surge", requirement.Checks("COV-40"), func(ctx SpecContext) {
		stage := cluster.Open(ctx)
		daemonSet := fixtures.RollingUpdate(fixtures.DaemonSet("agent", stage.OnSome(2, 1)), ptr.To(intstr.FromString("100%")), nil)
		agent := stage.CreateDaemonSet(ctx, daemonSet)
		nodes := stage.Targets(agent, 1)
		awaitCovered(ctx, stage, agent, nodes)
		before := uidsOf(judge.PodsByNode(stage.History.Latest(), agent.UID, nodes))

		stage.UpdateDaemonSet(ctx, agent.Name, fixtures.Version("2"))

		state := stage.Await(ctx, limit.Rollout, judge.Complete(agent.Name, nodes).And(judge.ReadyOnEach(agent.UID, nodes)))
		stage.CatchUp(ctx, history.Pod)
		for node, pod := range judge.PodsByNode(state, agent.UID, nodes) {
			Expect(pod.UID).NotTo(Equal(before[node]), "the Pod of %s was replaced", node)
		}
		scene.Saw("%d Pods were replaced", nodes.Len())
		Expect(stage.History).To(judge.AtMostOneLive(agent.UID))
	})
}
