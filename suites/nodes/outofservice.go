package nodes

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"

	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

// shutDown is how an administrator says that a machine is off for sure.
var shutDown = corev1.Taint{Key: corev1.TaintNodeOutOfService, Value: "nodeshutdown", Effect: corev1.TaintEffectNoExecute}

func outOfService(cluster *scene.Cluster) {
	It("removes the Pods of a node that is out of service, and leaves those of one that is merely down", requirement.Checks("NODE-07"), func(ctx SpecContext) {
		stage := cluster.OpenApart(ctx)
		off, down := stage.SimulateNode(ctx), stage.SimulateNode(ctx)
		onOff, onDown := ordinaryOn(ctx, stage, "on-off", off), ordinaryOn(ctx, stage, "on-down", down)
		stage.Silence(off)
		stage.PostReady(ctx, off, corev1.ConditionFalse)
		stage.Silence(down)
		stage.PostReady(ctx, down, corev1.ConditionFalse)
		stage.DeletePod(ctx, onOff)
		stage.DeletePod(ctx, onDown)
		stage.Await(ctx, limit.Status, judge.Is(onOff, "is Terminating", judge.Terminating).
			And(judge.Is(onDown, "is Terminating", judge.Terminating)))

		stage.Taint(ctx, off.Node.Name, shutDown)

		stage.Await(ctx, limit.Swept, judge.Gone(onOff))
		// The contrast: the same look at the Pods has left this one alone.
		stage.CatchUp(ctx, history.Pod)
		Expect(stage.History).To(judge.Is(onDown, "is Terminating", judge.Terminating))
	})
}
