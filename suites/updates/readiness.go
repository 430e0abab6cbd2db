package updates

import (
	"fmt"

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

func readiness(cluster *scene.Cluster) {
	It("replaces old Pods that are not available first, whatever the budget, and only then touches one that is", requirement.Checks("UPD-05"), func(ctx SpecContext) {
		agent := running(ctx, cluster, few, unavailable("1"), pods(fixtures.ReadyWhileGate("open")))
		broken := breakAllButOne(ctx, agent)

		agent.update(ctx, fixtures.Version("2"))

		agent.Await(ctx, limit.Placement, toldToGo(broken))
		agent.awaitVersion(ctx, "2", agent.SparesAvailable(1))
		Expect(agent.History).To(agent.GoBeforeNew(agent.first, broken...))
	})

	It("goes on to the next node only when the new Pod has been Ready for minReadySeconds", requirement.Checks("UPD-08"), func(ctx SpecContext) {
		agent := running(ctx, cluster, two, unavailable("1"), minReady(5))

		agent.update(ctx, fixtures.Version("2"))

		agent.awaitVersion(ctx, "2", agent.UnavailableAtMost(1), agent.onlyFirstGo())
		scene.Saw("a new Pod was Ready for %s before the next one was told to go", agent.MinReady)
	})

	It("takes a surge Pod for available only when it has been Ready for minReadySeconds", requirement.Checks("UPD-08", "UPD-07"), func(ctx SpecContext) {
		agent := running(ctx, cluster, two, surging("1"), minReady(4))

		agent.update(ctx, fixtures.Version("2"))

		promises := []judge.Judge{agent.AvailableThroughout(), agent.SurgeAtMost(1), agent.onlyFirstGo()}
		agent.wakeIfForgotten(ctx, "2", promises...)
		agent.awaitVersion(ctx, "2", promises...)
	})
}

// toldToGo is the condition that all of these Pods are told to go, or gone.
func toldToGo(pods []*corev1.Pod) judge.Condition {
	return judge.Condition{Claim: fmt.Sprintf("%d Pods are told to go", len(pods)), Lacks: func(state *history.State) string {
		for _, pod := range pods {
			if now := state.Pod(pod.Name); now != nil && !judge.Terminating(now) {
				return judge.DescribePod(now)
			}
		}
		return ""
	}}
}

// breakAllButOne makes the first Pods of all nodes but one unready, and waits
// until they are.
func breakAllButOne(ctx SpecContext, agent *subject) []*corev1.Pod {
	GinkgoHelper()
	var broken []*corev1.Pod
	for _, node := range agent.Nodes.Eligible[1:] {
		pod := agent.first[node]
		agent.AnnotatePod(ctx, pod.Name, fixtures.GateAnnotation, "shut")
		broken = append(broken, pod)
	}
	for _, pod := range broken {
		agent.Await(ctx, limit.Restart, judge.Condition{Claim: "Pod " + pod.Name + " is not Ready", Lacks: func(state *history.State) string {
			if now := state.Pod(pod.Name); judge.Ready(now) {
				return judge.DescribePod(now)
			}
			return ""
		}})
	}
	return broken
}
