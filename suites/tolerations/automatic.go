package tolerations

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

// What a Pod tolerates is settled when it is created. But for those of TOL-01,
// the Pods of these specs are never scheduled.

func automatic(cluster *scene.Cluster) {
	It("adds just the six documented tolerations to a DaemonSet's Pods", requirement.Checks("TOL-01"), func(ctx SpecContext) {
		stage := cluster.Open(ctx)
		own := corev1.Toleration{Key: "rollcall.dev/own", Operator: corev1.TolerationOpExists}
		doubtIfAdmissionTolerates(ctx, stage, fixtures.Tolerate(own))

		agent := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("agent", fixtures.Tolerate(own)))

		stage.Await(ctx, limit.Placement, judge.PodOnEach(agent.UID, stage.Targets(agent, 1)))
		sawAdded(stage, agent.UID, own)
		expected := append(judge.AutomaticTolerations(false), own)
		Expect(stage.History).To(judge.EveryPod(agent.UID, "tolerates what its template and the documentation name, and nothing else",
			judge.NotTolerating(expected)))
	})
}

func hostNetwork(cluster *scene.Cluster) {
	It("lets Pods tolerate an unavailable network if they use that of their node, and only then", requirement.Checks("TOL-02"), func(ctx SpecContext) {
		stage := cluster.OpenPrivileged(ctx)

		onHost := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("on-host", fixtures.HostNetwork, fixtures.Unscheduled))
		inside := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("inside", fixtures.Unscheduled))

		stage.Await(ctx, limit.Placement, judge.PodOnEach(onHost.UID, stage.Targets(onHost, 1)))
		stage.Await(ctx, limit.Placement, judge.PodOnEach(inside.UID, stage.Targets(inside, 1)))
		sawAdded(stage, onHost.UID)
		Expect(stage.History).To(judge.EveryPod(onHost.UID, "tolerates an unavailable network", lacking(networkUnavailable)))
		Expect(stage.History).To(judge.EveryPod(inside.UID, "does not tolerate an unavailable network", tolerating(networkUnavailable.Key)))
	})
}

func obsolete(cluster *scene.Cluster) {
	It("no longer knows a taint or toleration for a full disk", requirement.Checks("TOL-03"), func(ctx SpecContext) {
		stage := cluster.Open(ctx)
		stage.NeedsWholeRoster()

		agent := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("agent", fixtures.Unscheduled))

		stage.Await(ctx, limit.Placement, judge.PodOnEach(agent.UID, stage.Targets(agent, 1)))
		sawAdded(stage, agent.UID)
		// The contrast: there are automatic tolerations, this is none of them.
		Expect(stage.History).To(judge.EveryPod(agent.UID, "has some automatic toleration", bare))
		Expect(stage.History).To(judge.EveryPod(agent.UID, "does not tolerate "+outOfDisk, tolerating(outOfDisk)))
		Expect(stage.History).To(judge.Always(noNodeTainted(outOfDisk)))
	})
}

func unlimited(cluster *scene.Cluster) {
	It("lets DaemonSet Pods stay on a node in trouble for ever, even if their template says for how long", requirement.Checks("TOL-05"), func(ctx SpecContext) {
		stage := cluster.Open(ctx)

		agent := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("agent", fixtures.Unscheduled, fixtures.Tolerate(
			forSeconds(corev1.TaintNodeNotReady, corev1.TaintEffectNoExecute, 30),
			forSeconds(corev1.TaintNodeUnreachable, corev1.TaintEffectNoExecute, 30),
		)))

		stage.Await(ctx, limit.Placement, judge.PodOnEach(agent.UID, stage.Targets(agent, 1)))
		sawAdded(stage, agent.UID)
		Expect(stage.History).To(judge.EveryPod(agent.UID, "tolerates a node that is not ready or unreachable without a limit in time",
			judge.LimitedInTime(notReady, unreachable)))
	})
}
