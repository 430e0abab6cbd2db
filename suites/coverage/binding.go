package coverage

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

func binding(cluster *scene.Cluster) {
	It("aims each Pod at its node by node affinity, and keeps the rest of the template's", requirement.Checks("COV-23"), func(ctx SpecContext) {
		stage := cluster.Open(ctx)

		agent := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("agent", choosy))

		nodes := stage.Targets(agent, 1)
		awaitCovered(ctx, stage, agent, nodes)
		Expect(stage.History).To(judge.EveryPod(agent.UID, "is aimed at one eligible node and bound to no other",
			judge.NotAimed(agent.Spec.Template.Spec, nodes)))
	})

	It("leaves the binding to the scheduler that its template names", requirement.Checks("COV-24"), func(ctx SpecContext) {
		stage := cluster.Open(ctx)
		waiting := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("waiting", fixtures.Unscheduled))

		agent := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("agent"))

		awaitCovered(ctx, stage, agent, stage.Targets(agent, 1))
		nodes := stage.Targets(waiting, 1)
		stage.Await(ctx, limit.Status, judge.PodOnEach(waiting.UID, nodes).And(judge.Unready(waiting.Name, nodes)))
		sawScheduler(stage)
		Expect(stage.History).To(judge.FirstSeen(agent.UID, "is bound to no node", judge.Bound))
		Expect(stage.History).To(judge.EveryPod(waiting.UID, "stays unbound, since nobody schedules it", judge.Bound))
	})
}

// choosy gives a Pod every kind of affinity. It asks of nodes what all of them
// have, and of Pods what none of them are.
func choosy(t *corev1.PodTemplateSpec) {
	everyNode := term(expression(corev1.LabelHostname, corev1.NodeSelectorOpExists))
	nodeAffinity := preferred(everyNode)
	nodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution = fixtures.NodeTerms(everyNode).RequiredDuringSchedulingIgnoredDuringExecution
	t.Spec.Affinity = &corev1.Affinity{
		NodeAffinity: nodeAffinity,
		PodAntiAffinity: &corev1.PodAntiAffinity{PreferredDuringSchedulingIgnoredDuringExecution: []corev1.WeightedPodAffinityTerm{{
			Weight: 1,
			PodAffinityTerm: corev1.PodAffinityTerm{
				TopologyKey:   corev1.LabelHostname,
				LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"rollcall.dev/nobody": "true"}},
			},
		}}},
	}
}

// sawScheduler notes who says that it bound a Pod.
func sawScheduler(stage *scene.Scene) {
	for _, event := range stage.History.Latest().Events() {
		if event.Reason == "Scheduled" {
			scene.Saw("%s: %s", event.ReportingController, event.Message)
			return
		}
	}
}
