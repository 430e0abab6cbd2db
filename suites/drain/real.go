package drain

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/fixtures/workload"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

// What people rely on is shown on real nodes too, where simulated ones would do,
// and what a kubelet does can be shown nowhere else.

func onRealNodes(cluster *scene.Cluster) {
	It("lets a DaemonSet run and replace its Pod on a real node that is cordoned", requirement.Checks("DRN-20"), func(ctx SpecContext) {
		replacesUnderCordon(ctx, lent(ctx, cluster))
	})

	It("refuses to drain a real node with a DaemonSet's Pod, and drains past it if told to", requirement.Checks("DRN-21"), func(ctx SpecContext) {
		stage := lent(ctx, cluster)
		ordinary := stage.ordinary(ctx, "ordinary")

		answers(stage.Drain(ctx, stage.node, "--force"), 1, daemonRefusal)

		stage.Await(ctx, limit.Status, isCordoned(stage.node))
		Expect(stage.History).To(judge.Undisturbed(ordinary))
		answers(stage.Drain(ctx, stage.node, "--force", "--ignore-daemonsets"), 0, daemonWarning)
		stage.Await(ctx, limit.PodGone, judge.Gone(ordinary))
		Expect(stage.History).To(judge.Undisturbed(stage.daemon))
	})

	It("lets a Pod that it evicts end in its own time", requirement.Checks("DRN-18"), func(ctx SpecContext) {
		stage := lent(ctx, cluster)
		polite := stage.ordinary(ctx, "polite", fixtures.GracePeriod(77), fixtures.With(fixtures.Container("app",
			workload.OnTerm(workload.Report("asked to end"), workload.Sleep(3*time.Second), workload.Report("done")), workload.Serve())))

		answers(stage.Drain(ctx, stage.node, "--force", "--ignore-daemonsets"), 0, "drained")

		stage.Await(ctx, limit.PodGone, judge.Gone(polite))
		Expect(stage.History).To(judge.Disrupted(polite, evictedByAPI))
		Expect(stage.History).To(judge.GraceGranted(polite, 77))
		Expect(stage.History).To(judge.Reported(polite, "app", "asked to end", "done"))
		Expect(stage.History).To(judge.RemovedIn(polite, corev1.PodSucceeded))
		for _, line := range judge.Chronicle(stage.History.History, polite) {
			scene.Saw("%s", line)
		}
	})
}

// lent sets the trial up on a real node.
func lent(ctx SpecContext, cluster *scene.Cluster) *trial {
	GinkgoHelper()
	stage := cluster.Open(ctx)
	node := stage.LendNode(ctx)
	hostname := node.Labels[corev1.LabelHostname] // may differ from its name
	return (&trial{Scene: stage, node: node.Name, hostname: hostname}).begin(ctx)
}
