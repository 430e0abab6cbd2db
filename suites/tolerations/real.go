package tolerations

import (
	. "github.com/onsi/ginkgo/v2"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

// What people rely on is shown on real nodes too.

func onRealNodes(cluster *scene.Cluster) {
	It("evicts a DaemonSet's Pod from a real node with NoExecute, and brings one back once the taint is gone", requirement.Checks("TOL-20"), func(ctx SpecContext) {
		clears(ctx, lent(ctx, cluster))
	})

	It("leaves a DaemonSet's Pod alone on a real node with NoSchedule, and sends no other after it", requirement.Checks("TOL-21"), func(ctx SpecContext) {
		stays(ctx, lent(ctx, cluster))
	})

	It("lets a DaemonSet call itself complete while a real node goes without", requirement.Checks("TOL-22"), func(ctx SpecContext) {
		stage := lent(ctx, cluster)
		agent := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("agent"))
		leavesGap(ctx, stage.Scene, agent, stage.node)
	})
}
