package drain

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

// A DaemonSet's controller removes a Pod of its own that has finished, and the
// garbage collector one whose DaemonSet is gone, so quickly that no drain would
// ever meet them. A machine that went silent holds both up: its Pods are asked to
// go and do not.

// unconfirmed lets a drain remove Pods whose machine does not confirm their end.
const unconfirmed = "--grace-period=0"

// closing keeps a DaemonSet from making another Pod for a node.
var closing = corev1.Taint{Key: "rollcall.dev/closing", Effect: corev1.TaintEffectNoSchedule}

func finished(cluster *scene.Cluster) {
	It("evicts finished Pods without being allowed to, those of a DaemonSet too", requirement.Checks("DRN-09"), func(ctx SpecContext) {
		stage := simulated(ctx, cluster)
		local := stage.ordinary(ctx, "local", fixtures.SharedDir)
		stage.Taint(ctx, stage.node, closing)
		stage.Silence(stage.machine)
		stage.DeletePod(ctx, stage.daemon)
		stage.Await(ctx, limit.Status, judge.AskedToGo(stage.daemon))
		// The contrast: as long as they run, each of them is a reason to refuse.
		answers(stage.Drain(ctx, stage.node), 1, daemonRefusal)
		answers(stage.Drain(ctx, stage.node, "--ignore-daemonsets"), 1, localRefusal)
		Expect(stage.History).To(judge.Undisturbed(local))
		stage.finish(ctx, stage.daemon, corev1.PodFailed)
		stage.finish(ctx, local, corev1.PodSucceeded)

		answers(stage.Drain(ctx, stage.node, unconfirmed), 0, "drained")

		stage.Await(ctx, limit.PodGone, judge.Gone(local).And(judge.Gone(stage.daemon)))
	})
}

func orphaned(cluster *scene.Cluster) {
	It("evicts a Pod whose DaemonSet is gone only if forced", requirement.Checks("DRN-10"), func(ctx SpecContext) {
		stage := simulated(ctx, cluster)
		stage.Silence(stage.machine)
		stage.DeleteDaemonSet(ctx, stage.agent, metav1.DeletePropagationBackground)
		stage.Await(ctx, limit.Collected, judge.Removed(stage.agent.Name, stage.agent.UID).And(judge.AskedToGo(stage.daemon)))

		answers(stage.Drain(ctx, stage.node, "--ignore-daemonsets"), 1, `(?i)daemonsets.*not found`)

		Expect(stage.History).NotTo(judge.Gone(stage.daemon))
		answers(stage.Drain(ctx, stage.node, "--ignore-daemonsets", "--force", unconfirmed), 0, "drained")
		stage.Await(ctx, limit.PodGone, judge.Gone(stage.daemon))
	})
}

func mirrored(cluster *scene.Cluster) {
	It("passes a mirror Pod over without a word", requirement.Checks("DRN-08"), func(ctx SpecContext) {
		stage := simulated(ctx, cluster)
		mirror := stage.CreatePod(ctx, fixtures.Pod("mirror", fixtures.Mirror(stage.node)))
		stage.Await(ctx, limit.PodReady, judge.IsReady(mirror))
		// The contrast: another Pod that nothing controls is a reason to refuse.
		bare := stage.ordinary(ctx, "bare")
		refusal := stage.Drain(ctx, stage.node, "--ignore-daemonsets")
		answers(refusal, 1, bareRefusal)
		Expect(refusal.Err).NotTo(ContainSubstring(mirror.Name))

		drained := stage.Drain(ctx, stage.node, "--ignore-daemonsets", "--force")

		answers(drained, 0, "drained")
		Expect(drained.Out + drained.Err).NotTo(ContainSubstring(mirror.Name))
		stage.Await(ctx, limit.PodGone, judge.Gone(bare))
		Expect(stage.History).To(judge.Undisturbed(mirror))
	})
}
