package updates

import (
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

func changes(cluster *scene.Cluster) {
	It("turns to the newest version in the middle of an update, within its budget", requirement.Checks("UPD-11"), func(ctx SpecContext) {
		agent := running(ctx, cluster, few, unavailable("1"), minReady(settle))
		agent.update(ctx, fixtures.Version("2"))
		begun := agent.awaitBegun(ctx, "2")
		agent.needsOld(begun)

		agent.update(ctx, fixtures.Version("3"))

		agent.awaitVersion(ctx, "3")
		scene.Saw("when version 3 came, the versions were %v", agent.versions(begun))
		Expect(agent.History).To(agent.UnavailableAtMost(1))
	})

	It("stops an update when its strategy becomes OnDelete, and goes on when it is RollingUpdate again", requirement.Checks("UPD-20"), func(ctx SpecContext) {
		agent := running(ctx, cluster, few, unavailable("1"), minReady(settle))
		agent.update(ctx, fixtures.Version("2"))
		agent.awaitBegun(ctx, "2")

		agent.update(ctx, fixtures.OnDelete)

		agent.Await(ctx, limit.Status, seen(agent.set.Name))
		agent.CatchUp(ctx, history.Pod)
		agent.needsOld(agent.History.Latest())
		gone := agent.departed()
		agent.Hold(ctx, quiet, "the update goes on")
		agent.CatchUp(ctx, history.Pod)
		scene.Saw("while it stood still the versions were %v", agent.versions(agent.History.Latest()))
		Expect(agent.History).To(judge.NoneLeavesBut(agent.set.UID, gone...))
		agent.update(ctx, unavailable("1"))
		agent.awaitVersion(ctx, "2")
		Expect(agent.History).To(agent.UnavailableAtMost(1))
	})

	It("rolls out a change of the template's labels or annotations like any other", requirement.Checks("UPD-23"), func(ctx SpecContext) {
		agent := placed(ctx, cluster, few, unavailable("1"))

		agent.update(ctx, fixtures.Version("2"))

		agent.awaitPlaced(ctx, "2")
		agent.expectUntouched(0)
		agent.update(ctx, func(d *appsv1.DaemonSet) { d.Spec.Template.Labels[label] = "2" })
		agent.Await(ctx, limit.Placement, judge.PodOnEach(agent.set.UID, agent.Nodes).And(agent.updated(agent.Nodes.Len())).
			And(judge.EachPod(agent.set.UID, "carries the new label", unlabelled)))
		agent.CatchUp(ctx, history.ControllerRevision)
		scene.Saw("a new annotation and a new label each replaced %d Pods", agent.Nodes.Len())
		Expect(agent.History).To(judge.RevisionsAre(agent.set.UID, 1, 2, 3))
	})
}

// label is one that is no part of a selector.
const label = "rollcall.dev/label"

func unlabelled(pod *corev1.Pod) string {
	if pod.Labels[label] != "2" {
		return "has no new label"
	}
	return ""
}

// needsOld casts doubt if the update was too fast to be changed in its middle.
func (s *subject) needsOld(begun *history.State) {
	if len(s.of(begun, "1")) == 0 {
		scene.Doubt("the first update was over before the second one began")
	}
}

// seen is the condition that the controller has acted on the newest spec.
func seen(name string) judge.Condition {
	return judge.Observed(name, "that it has seen its newest spec", func(appsv1.DaemonSetStatus) bool { return true })
}
