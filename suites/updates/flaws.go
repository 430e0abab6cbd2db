package updates

import (
	"fmt"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

// stuck is how long a rollout that does not get on is watched: the kubelet
// starts a program that ends at once again at once and after 10 seconds.
const stuck = 20 * time.Second

func flaws(cluster *scene.Cluster) {
	It("stops at its budget when the new image is not there", requirement.Checks("UPD-09"), func(ctx SpecContext) {
		agent := running(ctx, cluster, two, unavailable("1"))

		agent.update(ctx, agent.flawed("2", fixtures.NoImage))

		agent.awaitBegun(ctx, "2")
		agent.expectStuck(ctx, stuck)
	})

	It("stops at its budget when the new program ends with code 1", requirement.Checks("UPD-09"), func(ctx SpecContext) {
		agent := running(ctx, cluster, two, unavailable("1"))

		agent.update(ctx, agent.flawed("2", fixtures.Crashing))

		agent.awaitBegun(ctx, "2")
		agent.expectStuck(ctx, stuck)
	})

	It("breaks no more nodes with three flawed versions in a row than with one", requirement.Checks("UPD-09"), func(ctx SpecContext) {
		agent := running(ctx, cluster, two, unavailable("1"))

		for i, flaw := range []fixtures.Flaw{fixtures.NoImage, fixtures.Crashing, fixtures.NeverInitialized} {
			version := fmt.Sprint(i + 2)
			agent.update(ctx, agent.flawed(version, flaw))
			agent.awaitBegun(ctx, version)
			agent.expectStuck(ctx, quiet)
		}
	})
}

// expectStuck watches a rollout that cannot get on: one node is without an
// available Pod, and the others keep their first ones.
func (s *subject) expectStuck(ctx SpecContext, watched time.Duration) {
	GinkgoHelper()
	s.Hold(ctx, watched, "the flawed version breaks a second node")
	s.CatchUp(ctx, history.Pod)
	scene.Saw("after %s the versions are %v", watched, s.versions(s.History.Latest()))
	Expect(s.History).To(s.UnavailableAtMost(1))
	s.expectUntouched(s.Nodes.Len() - 1)
}
