package outages

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

func replacement(cluster *scene.Cluster) {
	It("keeps the Pods of a node that is deleted and created again under its name", requirement.Checks("OUT-05"), func(ctx SpecContext) {
		stage := cluster.OpenPrivileged(ctx)
		before := stage.LendNode(ctx)
		_, stays := daemon(ctx, stage, "stays", before)

		after := stage.Replace(ctx, before.Name)

		Expect(after.UID).NotTo(Equal(before.UID))
		_, late := daemon(ctx, stage, "late", after)
		Expect(stage.History).To(judge.Undisturbed(stays))
		Expect(stage.History).To(judge.NotRestarted(stays, "app"))
		Expect(stage.History).To(judge.IsReady(stays))
		scene.Saw("Pod %s stayed, and %s came, on node %s with the new UID %s", stays.Name, late.Name, after.Name, after.UID)
	})
}
