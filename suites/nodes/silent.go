package nodes

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"

	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

// reaction is how long it is watched that the control plane does nothing; what
// it does about a node, it does within 6 s.
const reaction = 10 * time.Second

func notReady(cluster *scene.Cluster) {
	It("leaves the Pods of a node Ready that says itself that it is not", requirement.Checks("NODE-03"), func(ctx SpecContext) {
		stage := cluster.OpenApart(ctx)
		made := stage.SimulateNode(ctx)
		awaitKnown(ctx, stage)
		_, daemon := daemonOn(ctx, stage, "agent", made)
		ordinary := ordinaryOn(ctx, stage, "ordinary", made)

		stage.PostReady(ctx, made, corev1.ConditionFalse)

		stage.Await(ctx, limit.Status, judge.Tainted(made.Node.Name, both(corev1.TaintNodeNotReady)...))
		stage.Hold(ctx, reaction, "its Pods stay Ready")
		stage.CatchUp(ctx, history.Pod)
		for _, pod := range []*corev1.Pod{daemon, ordinary} {
			Expect(stage.History).To(judge.KeptReady(pod))
			Expect(stage.History).To(judge.Undisturbed(pod))
		}
	})
}

func recovered(cluster *scene.Cluster) {
	It("takes the taints off a node that says itself that it is Ready again, and leaves its Pods alone", requirement.Checks("NODE-05"), func(ctx SpecContext) {
		stage := cluster.OpenApart(ctx)
		made := stage.SimulateNode(ctx)
		agent, daemon := daemonOn(ctx, stage, "agent", made)
		nodes := stage.Targets(agent, 1)
		stage.PostReady(ctx, made, corev1.ConditionFalse)
		stage.Await(ctx, limit.Status, judge.Tainted(made.Node.Name, both(corev1.TaintNodeNotReady)...))

		stage.PostReady(ctx, made, corev1.ConditionTrue)

		stage.Await(ctx, limit.Status, judge.Untainted(made.Node.Name, corev1.TaintNodeNotReady, corev1.TaintNodeUnreachable))
		awaitDaemon(ctx, stage, agent, nodes, made)
		Expect(stage.History).To(judge.Undisturbed(daemon))
		Expect(stage.History).To(judge.NoneMadeBut(agent.UID, made.Node.Name, daemon.UID))
	})
}

func silent(cluster *scene.Cluster) {
	It("marks the Pods of a silent node as not Ready, and deletes none", requirement.Checks("NODE-03"), func(ctx SpecContext) {
		stage := cluster.OpenApart(ctx)
		made, other := stage.SimulateNode(ctx), stage.SimulateNode(ctx)
		awaitKnown(ctx, stage)
		_, daemon := daemonOn(ctx, stage, "agent", made)
		ordinary := ordinaryOn(ctx, stage, "ordinary", made)
		// The contrast: a Pod of a node that is not silent.
		elsewhere := ordinaryOn(ctx, stage, "elsewhere", other)

		stage.Silence(made)

		awaitUnreachable(ctx, stage, made)
		for _, pod := range []*corev1.Pod{daemon, ordinary} {
			stage.Await(ctx, limit.Status, judge.Is(pod, "is not Ready", unready))
			Expect(stage.History).To(judge.Undisturbed(pod))
		}
		Expect(stage.History).To(judge.KeptReady(elsewhere))
	})

	It("takes the taints off a node that is back, and has the same Pod of a DaemonSet there, Ready again", requirement.Checks("NODE-05"), func(ctx SpecContext) {
		stage := cluster.OpenApart(ctx)
		made := stage.SimulateNode(ctx)
		agent, daemon := daemonOn(ctx, stage, "agent", made)
		nodes := stage.Targets(agent, 1)
		stage.Silence(made)
		awaitUnreachable(ctx, stage, made)
		stage.Await(ctx, limit.Status, judge.Is(daemon, "is not Ready", unready))

		stage.Wake(ctx, made)

		stage.Await(ctx, limit.Status, judge.Untainted(made.Node.Name, corev1.TaintNodeUnreachable, corev1.TaintNodeNotReady))
		awaitDaemon(ctx, stage, agent, nodes, made)
		Expect(stage.History).To(judge.Undisturbed(daemon))
		Expect(stage.History).To(judge.NoneMadeBut(agent.UID, made.Node.Name, daemon.UID))
	})

	It("keeps a deleted Pod of an unreachable node until that is back, and makes no other one", requirement.Checks("NODE-08"), func(ctx SpecContext) {
		stage := cluster.OpenApart(ctx)
		made, other := stage.SimulateNode(ctx), stage.SimulateNode(ctx)
		agent, daemon := daemonOn(ctx, stage, "agent", made)
		nodes := stage.Targets(agent, 1)
		// The contrast: a node that answers.
		twin, answered := daemonOn(ctx, stage, "twin", other)
		stage.Silence(made)
		awaitUnreachable(ctx, stage, made)

		stage.DeletePod(ctx, daemon)
		stage.DeletePod(ctx, answered)

		stage.Await(ctx, limit.PodGone, judge.Gone(answered))
		awaitDaemon(ctx, stage, twin, stage.Targets(twin, 1), other)
		stage.Hold(ctx, limit.Sweep, "the Pod of the silent node stays")
		stage.CatchUp(ctx, history.Pod)
		Expect(stage.History).To(judge.Is(daemon, "is Terminating", judge.Terminating))
		Expect(stage.History).To(judge.NoneMadeBut(agent.UID, made.Node.Name, daemon.UID))
		stage.Wake(ctx, made)
		stage.Await(ctx, limit.PodGone, judge.Gone(daemon))
		awaitDaemon(ctx, stage, agent, nodes, made)
	})
}

func heartbeats(cluster *scene.Cluster) {
	It("takes either the Lease or the status for a sign of life", requirement.Checks("NODE-04"), func(ctx SpecContext) {
		stage := cluster.OpenApart(ctx)
		byLease, byStatus := stage.SimulateNode(ctx), stage.SimulateNode(ctx)
		// The contrast: a node that gives neither.
		dead := stage.SimulateNode(ctx)
		byStatus.BeatByStatus(ctx)

		stage.Silence(dead)

		awaitUnreachable(ctx, stage, dead)
		stage.Hold(ctx, reaction, "the nodes that give a sign of life stay Ready")
		stage.CatchUp(ctx, history.Node)
		Expect(stage.History).To(judge.StaysReady(byLease.Node.Name))
		Expect(stage.History).To(judge.StaysReady(byStatus.Node.Name))
	})
}

func unready(pod *corev1.Pod) bool { return !judge.Ready(pod) }
