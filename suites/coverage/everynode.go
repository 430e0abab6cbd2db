package coverage

import (
	"strings"

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

func everyNode(cluster *scene.Cluster) {
	It("runs just one Ready Pod on every node that it belongs on", requirement.Checks("COV-01"), func(ctx SpecContext) {
		stage := cluster.Open(ctx)

		agent := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("agent"))

		nodes := stage.Targets(agent, 1)
		awaitCovered(ctx, stage, agent, nodes)
		Expect(stage.History).To(judge.AtMostOneLive(agent.UID))
		Expect(stage.History).To(judge.NeverElsewhere(agent.UID, nodes))
	})

	It("runs just one Ready Pod on tainted nodes too, if it tolerates what their administrators put there", requirement.Checks("COV-01"), func(ctx SpecContext) {
		stage := cluster.Open(ctx)

		agent := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("agent", fixtures.Tolerate(administrators(stage)...)))

		nodes := stage.Targets(agent, 1)
		awaitCovered(ctx, stage, agent, nodes)
		Expect(stage.History).To(judge.AtMostOneLive(agent.UID))
		Expect(stage.History).To(judge.NeverElsewhere(agent.UID, nodes))
	})
}

// awaitCovered waits until every eligible node has its Ready Pod and the status
// says the same, and notes which nodes were covered and which were not.
func awaitCovered(ctx SpecContext, stage *scene.Scene, agent *appsv1.DaemonSet, nodes judge.Nodes) {
	GinkgoHelper()
	covered := judge.ReadyOnEach(agent.UID, nodes).And(judge.Complete(agent.Name, nodes))
	state := stage.Await(ctx, limit.PodReady, covered.While(wellPlaced(agent, nodes)))
	for _, name := range nodes.Eligible {
		scene.Saw("node %s (UID %s) runs Pod %s, Ready", name, stage.Roster[name], judge.PodsByNode(state, agent.UID, nodes)[name].Name)
	}
	for _, excuse := range nodes.Excuses() {
		scene.Saw("not eligible is node %s", excuse)
	}
	scene.Saw("the status says: %s", judge.DescribeStatus(state.DaemonSet(agent.Name).Status))
	stage.CatchUp(ctx, history.Pod, history.DaemonSet)
}

// awaitPlaced waits until there is a Pod for every eligible node, bound or not,
// and the status counts it. Whether it starts is not what the spec is about.
func awaitPlaced(ctx SpecContext, stage *scene.Scene, agent *appsv1.DaemonSet, nodes judge.Nodes) *history.State {
	GinkgoHelper()
	placed := judge.PodOnEach(agent.UID, nodes).And(judge.Scheduled(agent.Name, nodes)).About("DaemonSet " + agent.Name)
	state := stage.Await(ctx, limit.Placement, placed.While(wellPlaced(agent, nodes)))
	stage.CatchUp(ctx, history.Pod)
	return state
}

// wellPlaced is what holds at every instant while a DaemonSet without surge gets
// its Pods.
func wellPlaced(agent *appsv1.DaemonSet, nodes judge.Nodes) judge.Condition {
	return judge.OneLive(agent.UID).And(judge.NoneElsewhere(agent.UID, nodes))
}

// administrators returns tolerations for the taints on the roster's nodes but
// those that Kubernetes itself puts on a node in trouble.
func administrators(stage *scene.Scene) []corev1.Toleration {
	stage.NeedsWholeRoster()
	var tolerations []corev1.Toleration
	for _, node := range stage.History.Latest().Nodes() {
		if _, meant := stage.Roster[node.Name]; !meant {
			continue
		}
		for _, taint := range node.Spec.Taints {
			if !strings.HasPrefix(taint.Key, "node.kubernetes.io/") {
				tolerations = append(tolerations, corev1.Toleration{Key: taint.Key, Operator: corev1.TolerationOpExists, Effect: taint.Effect})
			}
		}
	}
	return judge.Distinct(tolerations)
}
