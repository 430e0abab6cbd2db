package updates

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	appsv1 "k8s.io/api/apps/v1"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

func unchanged(cluster *scene.Cluster) {
	It("does nothing when the same template is applied again or something beside it changes", requirement.Checks("UPD-24"), func(ctx SpecContext) {
		agent := placed(ctx, cluster, few)

		again := agent.update(ctx, fixtures.Version("1"))
		beside := agent.update(ctx, func(d *appsv1.DaemonSet) { d.Labels[label] = "2" })

		agent.Hold(ctx, quiet, "a Pod is replaced for no reason")
		agent.CatchUp(ctx, history.Pod, history.ControllerRevision)
		scene.Saw("generation %d when created, %d when applied again, %d with another label of its own", agent.set.Generation, again.Generation, beside.Generation)
		Expect(again.Generation).To(Equal(agent.set.Generation))
		Expect(beside.Generation).To(Equal(agent.set.Generation))
		Expect(agent.History).To(judge.NoneLeavesBut(agent.set.UID))
		Expect(agent.History).To(judge.RevisionsAre(agent.set.UID, 1))
	})
}
