package coverage

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

func chosenNodes(cluster *scene.Cluster) {
	It("keeps to the nodes that carry the labels of its nodeSelector", requirement.Checks("COV-02"), func(ctx SpecContext) {
		stage := cluster.Open(ctx)
		// The contrast: without the selector, the other nodes do get a Pod.
		everywhere := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("everywhere", fixtures.Unscheduled))
		all := stage.Targets(everywhere, 2)

		chosen := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("chosen", on(stage, all.Eligible[0])))

		nodes := stage.Targets(chosen, 1)
		Expect(nodes.Len()).To(BeNumerically("<", all.Len()), "the label must tell nodes apart")
		awaitCovered(ctx, stage, chosen, nodes)
		awaitPlaced(ctx, stage, everywhere, all)
		Expect(stage.History).To(judge.NeverElsewhere(chosen.UID, nodes))
	})

	It("asks for no node if none carries the labels of its nodeSelector", requirement.Checks("COV-02"), func(ctx SpecContext) {
		stage := cluster.Open(ctx)
		everywhere := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("everywhere", fixtures.Unscheduled))
		all := stage.Targets(everywhere, 1)

		nowhere := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("nowhere", fixtures.Nowhere))

		none := stage.Eligible(nowhere)
		state := stage.Await(ctx, limit.Status, judge.Complete(nowhere.Name, none))
		awaitPlaced(ctx, stage, everywhere, all)
		scene.Saw("the status says: %s", judge.DescribeStatus(state.DaemonSet(nowhere.Name).Status))
		Expect(none.Len()).To(BeZero())
		Expect(stage.History.Latest().PodsOf(nowhere.UID)).To(BeEmpty())
	})

	It("keeps to the node that its template names", requirement.Checks("COV-04"), func(ctx SpecContext) {
		stage := cluster.Open(ctx)
		everywhere := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("everywhere", fixtures.Unscheduled))
		all := stage.Targets(everywhere, 2)

		named := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("named", fixtures.NodeName(all.Eligible[0])))

		nodes := stage.Targets(named, 1)
		awaitCovered(ctx, stage, named, nodes)
		awaitPlaced(ctx, stage, everywhere, all)
		Expect(nodes.Len()).To(Equal(1))
		Expect(stage.History).To(judge.NeverElsewhere(named.UID, nodes))
	})
}

// on selects a node by a label that every node carries.
func on(stage *scene.Scene, node string) fixtures.PodOption {
	return fixtures.NodeSelector(corev1.LabelHostname, hostname(stage, node))
}

// hostname returns the label that tells a node from the others. It often is,
// but need not be, the node's name.
func hostname(stage *scene.Scene, node string) string {
	value, ok := stage.History.Latest().Node(node).Labels[corev1.LabelHostname]
	if !ok {
		scene.Doubt("node %s has no label %s", node, corev1.LabelHostname)
	}
	return value
}
