package coverage

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/node"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

func foreign(cluster *scene.Cluster) {
	It("treats a Windows node, a virtual kubelet and Fargate like any other node", requirement.Checks("COV-39"), func(ctx SpecContext) {
		stage := cluster.OpenApart(ctx)
		stage.SimulateNode(ctx, stage.Pooled(), looksLike(corev1.LabelOSStable, "windows"))
		stage.SimulateNode(ctx, stage.Pooled(), looksLike("type", "virtual-kubelet"))
		stage.SimulateNode(ctx, stage.Pooled(), looksLike("eks.amazonaws.com/compute-type", "fargate"))

		agent := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("agent", stage.AmongPool()))
		// The contrast: a selector keeps Pods from nodes that cannot run them.
		careful := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("careful", stage.AmongPool(), fixtures.NodeSelector(corev1.LabelOSStable, "linux")))

		awaitCovered(ctx, stage, agent, stage.Targets(agent, 3))
		none := stage.Eligible(careful)
		awaitCovered(ctx, stage, careful, none)
		Expect(none.Len()).To(BeZero())
		Expect(stage.History).To(judge.NeverElsewhere(careful.UID, none))
	})
}

func looksLike(key, value string) node.SimulatedOption {
	return node.Labelled(map[string]string{key: value})
}
