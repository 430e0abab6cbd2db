package drain

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"

	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

func again(cluster *scene.Cluster) {
	It("drains twice and uncordons twice without an error", requirement.Checks("DRN-13"), func(ctx SpecContext) {
		stage := simulated(ctx, cluster)

		answers(stage.Drain(ctx, stage.node, "--ignore-daemonsets"), 0, " cordoned")
		answers(stage.Drain(ctx, stage.node, "--ignore-daemonsets"), 0, "already cordoned")

		answers(stage.Kubectl(ctx, "uncordon", stage.node), 0, " uncordoned")
		stage.Await(ctx, limit.Status, isOpen(stage.node))
		answers(stage.Kubectl(ctx, "uncordon", stage.node), 0, "already uncordoned")
		Expect(stage.History).To(judge.Undisturbed(stage.daemon))
	})
}

func harmless(cluster *scene.Cluster) {
	It("does not drain a node that is not there", requirement.Checks("DRN-14"), func(ctx SpecContext) {
		stage := cluster.Open(ctx)

		answers(stage.Drain(ctx, "rollcall-no-such-node"), 1, "NotFound")
	})

	It("changes nothing in a dry run", requirement.Checks("DRN-15"), func(ctx SpecContext) {
		stage := simulated(ctx, cluster)
		ordinary := stage.ordinary(ctx, "ordinary")

		for _, way := range []string{"client", "server"} {
			answers(stage.Drain(ctx, stage.node, "--ignore-daemonsets", "--force", "--dry-run="+way), 0, "dry run")
		}

		Expect(stage.History).To(neverCordoned(stage.node))
		Expect(stage.History).To(judge.Undisturbed(ordinary))
	})
}

// neverCordoned is the claim that a node takes Pods at every instant.
func neverCordoned(name string) judge.Judge {
	return judge.Always(judge.Condition{Claim: "node " + name + " is not cordoned", Lacks: func(state *history.State) string {
		if node := state.Node(name); node != nil && node.Spec.Unschedulable {
			return "it is"
		}
		return ""
	}})
}

// taintedOnlyWith is the condition that a node carries no other taints than
// these. A new node's not-ready is none of a drain's doing.
func taintedOnlyWith(name string, allowed ...corev1.Taint) judge.Condition {
	return judge.Condition{Claim: fmt.Sprintf("node %s carries no taint but those of a cordon", name), Lacks: func(state *history.State) string {
		node := state.Node(name)
		if node == nil {
			return ""
		}
		for _, taint := range node.Spec.Taints {
			if !known(taint, allowed) && taint.Key != corev1.TaintNodeNotReady {
				return "it carries " + taint.ToString()
			}
		}
		return ""
	}}
}

func known(taint corev1.Taint, allowed []corev1.Taint) bool {
	for _, one := range allowed {
		if taint.MatchTaint(&one) {
			return true
		}
	}
	return false
}
