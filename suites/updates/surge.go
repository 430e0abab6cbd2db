package updates

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

// port is a port of the nodes that nobody is expected to use.
const port = 47319

func surge(cluster *scene.Cluster) {
	It("keeps an available Pod on every node throughout with maxSurge 1, and has second Pods on one node at a time", requirement.Checks("UPD-07"), func(ctx SpecContext) {
		agent := running(ctx, cluster, few, surging("1"))

		agent.update(ctx, fixtures.Version("2"))

		agent.awaitVersion(ctx, "2", agent.AvailableThroughout(), agent.SurgeAtMost(1), agent.onlyFirstGo())
		// The contrast: the old Pod really waited for the new one.
		Expect(agent.History).NotTo(judge.AtMostOneLive(agent.set.UID))
	})

	It("surges on up to a percentage of the nodes at a time, and no partial node less", requirement.Checks("UPD-03", "UPD-07"), func(ctx SpecContext) {
		agent := running(ctx, cluster, few, surging("1"))
		percent := justAbove(1, agent.Nodes)
		agent.update(ctx, surging(percent))

		agent.update(ctx, fixtures.Version("2"))

		agent.awaitVersion(ctx, "2", agent.AvailableThroughout(), agent.SurgeAtMost(2), agent.onlyFirstGo())
		scene.Saw("%s of %d nodes are 2 at a time", percent, agent.Nodes.Len())
		Expect(agent.History).To(agent.SurgeReaches(2))
	})

	It("does not get on where a surge Pod needs the node's port that its predecessor holds", requirement.Checks("UPD-13"), func(ctx SpecContext) {
		agent := holdingPort(ctx, cluster)

		agent.update(ctx, fixtures.Version("2"))

		agent.awaitBegun(ctx, "2")
		state := agent.Await(ctx, limit.Status, judge.Condition{Claim: "the new Pod is found not to fit", Lacks: func(state *history.State) string {
			fresh := agent.of(state, "2")
			if len(fresh) == 0 {
				return "there is no new Pod"
			}
			for _, pod := range fresh {
				if !judge.Unschedulable(pod) {
					return judge.DescribePod(pod)
				}
			}
			return ""
		}})
		agent.Hold(ctx, quiet, "the rollout gets no further")
		agent.CatchUp(ctx, history.Pod)
		scene.Saw("%s", judge.DescribePod(agent.of(state, "2")[0]))
		agent.expectUntouched(agent.Nodes.Len())
		Expect(agent.History).To(judge.EveryPod(agent.set.UID, "stays unbound if it is new", func(pod *corev1.Pod) string {
			if versionOf(pod) == "1" {
				return ""
			}
			return judge.Bound(pod)
		}))
	})
}

// holdingPort returns a DaemonSet that surges and whose Pods hold a port of
// their nodes. If somebody else holds it, nothing can be told.
func holdingPort(ctx SpecContext, cluster *scene.Cluster) *subject {
	GinkgoHelper()
	stage := cluster.OpenPrivileged(ctx)
	s := create(ctx, stage, onSome(stage, 1), surging("1"), func(d *appsv1.DaemonSet) {
		d.Spec.Template.Spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 8080, HostPort: port, Protocol: corev1.ProtocolTCP}}
	})
	covered := judge.ReadyOnEach(s.set.UID, s.Nodes).And(judge.Complete(s.set.Name, s.Nodes))
	state := stage.Await(ctx, limit.PodReady, judge.Condition{Claim: covered.Claim, Lacks: func(state *history.State) string {
		for _, pod := range s.of(state, "1") {
			if judge.Unschedulable(pod) {
				return ""
			}
		}
		return covered.Lacks(state)
	}})
	if lacks := covered.Lacks(state); lacks != "" {
		scene.Doubt("a first Pod found no place, maybe because port %d is taken: %s", port, lacks)
		Fail("no Pod to surge beside")
	}
	return s.began(ctx, state)
}
