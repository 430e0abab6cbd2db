package drain

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

// What kubectl says, as far as that has stayed the same over the releases.
const (
	daemonRefusal = `cannot delete DaemonSet-managed Pods.*use --ignore-daemonsets to ignore`
	daemonWarning = `(?i)ignoring DaemonSet-managed Pods`
	bareRefusal   = `cannot delete .*Pods.*declare no controller.*use --force to override`
	localRefusal  = `cannot delete Pods with local storage.*use --delete-emptydir-data to override`
)

func refusals(cluster *scene.Cluster) {
	It("refuses to drain a node with a DaemonSet's Pod, and leaves the node cordoned", requirement.Checks("DRN-03"), func(ctx SpecContext) {
		stage := simulated(ctx, cluster)
		ordinary := stage.ordinary(ctx, "ordinary")

		answers(stage.Drain(ctx, stage.node, "--force"), 1, daemonRefusal)

		stage.Await(ctx, limit.Status, isCordoned(stage.node))
		Expect(stage.History).To(judge.Undisturbed(stage.daemon))
		Expect(stage.History).To(judge.Undisturbed(ordinary))
	})

	It("drains past a DaemonSet's Pod if told to ignore it, and evicts the others", requirement.Checks("DRN-04", "DRN-16"), func(ctx SpecContext) {
		stage := simulated(ctx, cluster)
		ordinary := stage.ordinary(ctx, "ordinary")

		answers(stage.Drain(ctx, stage.node, "--ignore-daemonsets", "--force"), 0, daemonWarning)

		stage.Await(ctx, limit.PodGone, gone(ordinary.Name).And(isCordoned(stage.node)))
		Expect(stage.History).To(judge.Undisturbed(stage.daemon))
		Expect(stage.History).To(judge.Always(taintedOnlyWith(stage.node, stage.machine.Fence, unschedulable)))
	})
}

func flags(cluster *scene.Cluster) {
	It("evicts a Pod without a controller only if forced", requirement.Checks("DRN-05"), func(ctx SpecContext) {
		stage := simulated(ctx, cluster)
		bare := stage.ordinary(ctx, "bare")
		// It may be evicted, and yet is not while another one may not.
		finished := stage.ordinary(ctx, "finished")
		stage.finish(ctx, finished, corev1.PodSucceeded)

		answers(stage.Drain(ctx, stage.node, "--ignore-daemonsets"), 1, bareRefusal)

		stage.CatchUp(ctx, history.Pod)
		Expect(stage.History).To(judge.Undisturbed(bare))
		Expect(stage.History).To(judge.Undisturbed(finished))
		answers(stage.Drain(ctx, stage.node, "--ignore-daemonsets", "--force"), 0, "drained")
		stage.Await(ctx, limit.PodGone, gone(bare.Name).And(gone(finished.Name)))
	})

	It("evicts a Pod with an emptyDir only if its data may be deleted", requirement.Checks("DRN-06"), func(ctx SpecContext) {
		stage := simulated(ctx, cluster, fixtures.SharedDir)
		local := stage.ordinary(ctx, "local", fixtures.SharedDir)

		answers(stage.Drain(ctx, stage.node, "--ignore-daemonsets", "--force"), 1, localRefusal)

		Expect(stage.History).To(judge.Undisturbed(local))
		answers(stage.Drain(ctx, stage.node, "--ignore-daemonsets", "--force", "--delete-emptydir-data"), 0, "drained")
		stage.Await(ctx, limit.PodGone, gone(local.Name))
		Expect(stage.History).To(judge.Undisturbed(stage.daemon))
	})

	It("takes no offence at the emptyDir of a DaemonSet's Pod", requirement.Checks("DRN-06"), func(ctx SpecContext) {
		stage := simulated(ctx, cluster, fixtures.SharedDir)
		// The contrast: a Pod that the drain does evict.
		plain := stage.ordinary(ctx, "plain")

		answers(stage.Drain(ctx, stage.node, "--ignore-daemonsets", "--force"), 0, "drained")

		stage.Await(ctx, limit.PodGone, gone(plain.Name))
		Expect(stage.History).To(judge.Undisturbed(stage.daemon))
	})
}
