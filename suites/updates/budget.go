package updates

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

func budget(cluster *scene.Cluster) {
	It("takes one node at a time with maxUnavailable 1", requirement.Checks("UPD-04"), func(ctx SpecContext) {
		agent := running(ctx, cluster, few, unavailable("1"))

		agent.update(ctx, fixtures.Version("2"))

		agent.awaitVersion(ctx, "2", agent.UnavailableAtMost(1), agent.onlyFirstGo())
	})

	It("takes up to N nodes at a time with maxUnavailable N", requirement.Checks("UPD-04"), func(ctx SpecContext) {
		agent := running(ctx, cluster, few, unavailable("2"))

		agent.update(ctx, fixtures.Version("2"))

		agent.awaitVersion(ctx, "2", agent.UnavailableAtMost(2), agent.onlyFirstGo())
		Expect(agent.History).To(agent.UnavailableReaches(2))
	})

	It("takes up to a percentage of the nodes at a time, and no partial node less", requirement.Checks("UPD-03", "UPD-04"), func(ctx SpecContext) {
		agent := running(ctx, cluster, few, unavailable("1"))
		percent := justAbove(1, agent.Nodes)
		agent.update(ctx, unavailable(percent))

		agent.update(ctx, fixtures.Version("2"))

		agent.awaitVersion(ctx, "2", agent.UnavailableAtMost(2), agent.onlyFirstGo())
		scene.Saw("%s of %d nodes are 2 at a time", percent, agent.Nodes.Len())
		Expect(agent.History).To(agent.UnavailableReaches(2))
	})

	It("makes a node's new Pod once its old one has ended, without surge", requirement.Checks("UPD-06"), func(ctx SpecContext) {
		agent := running(ctx, cluster, two, unavailable("100%"))

		agent.update(ctx, fixtures.Version("2"))

		agent.awaitVersion(ctx, "2", judge.AtMostOneUnfinished(agent.set.UID), agent.onlyFirstGo())
		agent.expectUntouched(0)
	})
}

// justAbove returns a percentage of the nodes that is a little more than n of
// them, so that rounding up makes it one more and rounding down just n.
func justAbove(n int, nodes judge.Nodes) string {
	return fmt.Sprintf("%d%%", 100*n/nodes.Len()+1)
}
