package drain

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

// reaction is how long it is watched that nobody evicts a Pod; what does so at all
// does it within a second or two.
const reaction = 5 * time.Second

func cordon(cluster *scene.Cluster) {
	It("keeps new ordinary Pods from a cordoned node and lets those that run there be", requirement.Checks("DRN-01"), func(ctx SpecContext) {
		stage := simulated(ctx, cluster)
		before := stage.ordinary(ctx, "before")

		answers(stage.Kubectl(ctx, "cordon", stage.node), 0, "cordoned")

		stage.Await(ctx, limit.Status, isCordoned(stage.node))
		stage.CreatePod(ctx, fixtures.Pod("after", stage.here()))
		stage.Await(ctx, limit.Placement, podIs("after", "found to fit nowhere", judge.Unschedulable))
		stage.Hold(ctx, reaction, "the Pod that ran before stays")
		stage.CatchUp(ctx, history.Pod)
		Expect(stage.History).To(judge.Undisturbed(before))
	})

	It("lets a DaemonSet run and replace its Pod on a cordoned node", requirement.Checks("DRN-02"), func(ctx SpecContext) {
		replacesUnderCordon(ctx, simulated(ctx, cluster))
	})
}

func replacesUnderCordon(ctx SpecContext, stage *trial) {
	GinkgoHelper()
	stage.Cordon(ctx, stage.node)
	stage.Await(ctx, limit.Status, isCordoned(stage.node))

	stage.DeletePod(ctx, stage.daemon)

	stage.Await(ctx, limit.PodGone, gone(stage.daemon.Name))
	second := stage.awaitDaemon(ctx)
	scene.Saw("Pod %s was deleted and %s came in its place, while the node was cordoned", stage.daemon.Name, second.Name)
	Expect(stage.History).To(judge.NoneLeavesBut(stage.agent.UID, stage.daemon.UID))
	Expect(stage.History).To(isCordoned(stage.node))
}
