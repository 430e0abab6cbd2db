package updates

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/utils/ptr"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

func revisions(cluster *scene.Cluster) {
	It("keeps a ControllerRevision of each template, and of nothing else", requirement.Checks("UPD-15"), func(ctx SpecContext) {
		agent := placed(ctx, cluster, few)
		agent.Await(ctx, limit.Status, judge.RevisionsAre(agent.set.UID, 1))

		agent.update(ctx, fixtures.Version("2"))

		agent.awaitPlaced(ctx, "2")
		agent.update(ctx, unavailable("50%"), minReady(1), keeping(5))
		agent.Await(ctx, limit.Status, seen(agent.set.Name))
		agent.CatchUp(ctx, history.ControllerRevision)
		Expect(agent.History).To(judge.RevisionsAre(agent.set.UID, 1, 2), "budget, minReadySeconds and limit are no part of the template")
		Expect(agent.History).To(judge.OfNewestRevision(agent.set.UID))
		Expect(agent.History).To(judge.RevisionsHoldTemplates(agent.set.UID))
		Expect(agent.History).To(judge.RevisionsDiffer(agent.set.UID))
		Expect(agent.History).To(judge.RevisionsRise(agent.set.UID))
		for _, revision := range judge.RevisionsOf(agent.History.Latest(), agent.set.UID) {
			scene.Saw("revision %d is %s", revision.Revision, revision.Name)
		}
	})

	It("keeps as many old ControllerRevisions as revisionHistoryLimit says, the newest ones", requirement.Checks("UPD-16"), func(ctx SpecContext) {
		agent := placed(ctx, cluster, 1, keeping(2))

		for _, version := range []string{"2", "3", "4", "5"} {
			agent.update(ctx, fixtures.Version(version))
			agent.awaitPlaced(ctx, version)
		}

		agent.Await(ctx, limit.Status, judge.RevisionsAre(agent.set.UID, 3, 4, 5))
	})

	It("spares the ControllerRevision of a Pod that is still there, even with a revisionHistoryLimit of 0", requirement.Checks("UPD-16"), func(ctx SpecContext) {
		agent := placed(ctx, cluster, 1, fixtures.OnDelete, keeping(0))

		for _, version := range []string{"2", "3"} {
			agent.update(ctx, fixtures.Version(version))
			agent.Await(ctx, limit.Status, seen(agent.set.Name))
		}

		agent.Await(ctx, limit.Status, judge.RevisionsAre(agent.set.UID, 1, 3))
		agent.DeletePod(ctx, agent.first[agent.Nodes.Eligible[0]])
		agent.Await(ctx, limit.Status, judge.RevisionsAre(agent.set.UID, 3))
		scene.Saw("revision 1 was kept for its Pod, and went after it")
	})
}

func keeping(revisions int32) func(*appsv1.DaemonSet) {
	return func(d *appsv1.DaemonSet) { d.Spec.RevisionHistoryLimit = ptr.To(revisions) }
}
