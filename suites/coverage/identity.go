package coverage

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	appsv1 "k8s.io/api/apps/v1"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

// What a Pod is called and whose it is, is settled when it is created: the Pods
// of these specs are never scheduled.
func identity(cluster *scene.Cluster) {
	It("names its Pods after itself, with a random suffix", requirement.Checks("COV-19"), func(ctx SpecContext) {
		stage := cluster.Open(ctx)
		long := "agent-" + strings.Repeat("x", 56)

		for _, name := range []string{"agent", long} {
			daemonSet := stage.CreateDaemonSet(ctx, fixtures.DaemonSet(name, fixtures.Unscheduled))
			nodes := stage.Targets(daemonSet, 1)
			state := stage.Await(ctx, limit.Placement, judge.PodOnEach(daemonSet.UID, nodes))
			scene.Saw("DaemonSet %s has Pod %s", name, judge.PodsByNode(state, daemonSet.UID, nodes)[nodes.Eligible[0]].Name)
			Expect(stage.History).To(judge.EveryPod(daemonSet.UID, "is named after it", judge.NotNamedAfter(name)))
		}
	})

	It("labels its Pods with the hash of their revision", requirement.Checks("COV-20"), func(ctx SpecContext) {
		stage := cluster.Open(ctx)

		agent := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("agent", fixtures.Unscheduled))

		nodes := stage.Targets(agent, 1)
		state := stage.Await(ctx, limit.Placement, judge.PodOnEach(agent.UID, nodes).And(judge.OfNewestRevision(agent.UID)))
		stage.CatchUp(ctx, history.Pod)
		labels := judge.PodsByNode(state, agent.UID, nodes)[nodes.Eligible[0]].Labels
		scene.Saw("%s=%s, %s=%s", appsv1.ControllerRevisionHashLabelKey, labels[appsv1.ControllerRevisionHashLabelKey],
			templateGeneration, labels[templateGeneration])
		Expect(stage.History).To(judge.OfNewestRevision(agent.UID))
	})

	It("is the one controller of its Pods", requirement.Checks("COV-21"), func(ctx SpecContext) {
		stage := cluster.Open(ctx)

		agent := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("agent", fixtures.Unscheduled))

		stage.Await(ctx, limit.Placement, judge.PodOnEach(agent.UID, stage.Targets(agent, 1)))
		Expect(stage.History).To(judge.EveryPod(agent.UID, "refers to it as its one owner", judge.NotOwned(agent)))
	})
}

// templateGeneration is the deprecated label that counts templates.
const templateGeneration = "pod-template-generation"
