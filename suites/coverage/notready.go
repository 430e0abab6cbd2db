package coverage

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

// The taints of a node that says that it is not Ready.
var notReady = []corev1.Taint{
	{Key: corev1.TaintNodeNotReady, Effect: corev1.TaintEffectNoSchedule},
	{Key: corev1.TaintNodeNotReady, Effect: corev1.TaintEffectNoExecute},
}

func notReadyNode(cluster *scene.Cluster) {
	It("leaves the Pod on a node that stops being Ready, and makes no new one there until it is Ready", requirement.Checks("COV-22"), func(ctx SpecContext) {
		stage := cluster.OpenApart(ctx)
		well, ill := stage.SimulateNode(ctx, stage.Pooled()), stage.SimulateNode(ctx, stage.Pooled())
		agent := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("agent", stage.AmongPool()))
		both := stage.Targets(agent, 2)
		awaitCovered(ctx, stage, agent, both)
		onWell, onIll := podOn(stage, agent, both, well), podOn(stage, agent, both, ill)

		stage.PostReady(ctx, ill, corev1.ConditionFalse)
		stage.Await(ctx, limit.Status, judge.Tainted(ill.Node.Name, notReady...))
		stage.Hold(ctx, reaction, "the Pod stays on the node that is not Ready")
		Expect(stage.History).To(judge.Undisturbed(onIll))

		// The contrast: what is deleted at the same time on the other node comes back.
		stage.DeletePod(ctx, onIll)
		stage.DeletePod(ctx, onWell)
		stage.Await(ctx, limit.PodGone, judge.Gone(onIll).And(judge.Gone(onWell)))
		stage.LookAgain(ctx, agent.Name)
		awaitCovered(ctx, stage, agent, stage.Targets(agent, 1))
		stage.Hold(ctx, reaction, "no Pod comes to the node that is not Ready")
		stage.CatchUp(ctx, history.Pod)
		Expect(stage.History).To(judge.NoneMadeBut(agent.UID, ill.Node.Name, onIll.UID))

		stage.PostReady(ctx, ill, corev1.ConditionTrue)
		awaitCovered(ctx, stage, agent, both)
	})
}
