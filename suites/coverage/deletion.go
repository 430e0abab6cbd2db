package coverage

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

func deletion(cluster *scene.Cluster) {
	It("takes its Pods along when it is deleted", requirement.Checks("COV-33"), func(ctx SpecContext) {
		stage := cluster.Open(ctx)
		agent := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("agent", fixtures.Unscheduled))
		nodes := stage.Targets(agent, 1)
		awaitPlaced(ctx, stage, agent, nodes)

		stage.DeleteDaemonSet(ctx, agent, metav1.DeletePropagationBackground)

		stage.Await(ctx, limit.Collected, judge.Removed(agent.Name, agent.UID).And(judge.Podless(agent.UID, nodes)))
	})

	It("stays until its Pods are gone when it is deleted in the foreground", requirement.Checks("COV-33"), func(ctx SpecContext) {
		stage := cluster.Open(ctx)
		one := stage.Pick(1, 1)[0]
		agent := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("agent", on(stage, one)))
		nodes := stage.Targets(agent, 1)
		awaitCovered(ctx, stage, agent, nodes)

		stage.DeleteDaemonSet(ctx, agent, metav1.DeletePropagationForeground)

		stage.Await(ctx, limit.Collected, judge.Removed(agent.Name, agent.UID))
		stage.CatchUp(ctx, history.Pod)
		Expect(stage.History).To(judge.Podless(agent.UID, nodes))
	})

	It("leaves its Pods and revisions behind when they are to be orphaned", requirement.Checks("COV-33"), func(ctx SpecContext) {
		stage := cluster.Open(ctx)
		agent := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("agent", fixtures.Unscheduled))
		nodes := stage.Targets(agent, 1)
		pods := judge.PodsByNode(awaitPlaced(ctx, stage, agent, nodes), agent.UID, nodes)

		stage.DeleteDaemonSet(ctx, agent, metav1.DeletePropagationOrphan)

		stage.Await(ctx, limit.Collected, judge.Removed(agent.Name, agent.UID))
		stage.CatchUp(ctx, history.Pod, history.ControllerRevision)
		for _, pod := range pods {
			Expect(stage.History).To(judge.Orphaned(pod))
			Expect(stage.History).To(judge.Undisturbed(pod))
		}
		scene.Saw("%d Pods and %d ControllerRevision stay, and belong to nobody", len(pods), len(stage.History.Latest().Revisions()))
		Expect(stage.History.Latest().Revisions()).To(HaveLen(1))
	})
}
