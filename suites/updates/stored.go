package updates

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/types"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

// The fields of the budgets.
const (
	maxUnavailable = "spec.updateStrategy.rollingUpdate.maxUnavailable"
	maxSurge       = "spec.updateStrategy.rollingUpdate.maxSurge"
	strategy       = "spec.updateStrategy"
)

func stored(cluster *scene.Cluster) {
	It("updates node by node unless it is told otherwise", requirement.Checks("UPD-01"), func(ctx SpecContext) {
		agent, err := cluster.Desk(ctx).DaemonSet(ctx, fixtures.DaemonSet("agent"))

		scene.Must(err)
		strategy := agent.Spec.UpdateStrategy
		scene.Saw("type %s, maxUnavailable %s, maxSurge %s, revisionHistoryLimit %d, minReadySeconds %d", strategy.Type,
			strategy.RollingUpdate.MaxUnavailable, strategy.RollingUpdate.MaxSurge, ptr.Deref(agent.Spec.RevisionHistoryLimit, -1), agent.Spec.MinReadySeconds)
		Expect(strategy.Type).To(Equal(appsv1.RollingUpdateDaemonSetStrategyType))
		Expect(strategy.RollingUpdate.MaxUnavailable).To(HaveValue(Equal(intstr.FromInt32(1))))
		Expect(strategy.RollingUpdate.MaxSurge).To(HaveValue(Equal(intstr.FromInt32(0))))
		Expect(agent.Spec.RevisionHistoryLimit).To(HaveValue(BeEquivalentTo(10)))
		Expect(agent.Spec.MinReadySeconds).To(BeZero())
	})

	It("takes a budget of unavailable Pods or of surge, never both and never none", requirement.Checks("UPD-02"), func(ctx SpecContext) {
		for _, budgets := range matrix {
			agent := fixtures.RollingUpdate(fixtures.DaemonSet("agent"), parse(budgets.unavailable), parse(budgets.surge))
			_, err := cluster.Desk(ctx).DaemonSet(ctx, agent)
			Expect(err).To(budgets.answer(), "maxUnavailable %q, maxSurge %q", budgets.unavailable, budgets.surge)
		}
		scene.Saw("%d pairs of budgets are accepted or refused as documented", len(matrix))
	})

	It("knows the update strategies RollingUpdate and OnDelete and no other", requirement.Checks("UPD-02"), func(ctx SpecContext) {
		create := func(change func(*appsv1.DaemonSet)) error {
			agent := fixtures.DaemonSet("agent")
			change(agent)
			_, err := cluster.Desk(ctx).DaemonSet(ctx, agent)
			return err
		}

		Expect(create(unavailable("1"))).To(Succeed())
		Expect(create(fixtures.OnDelete)).To(Succeed())
		Expect(create(func(d *appsv1.DaemonSet) {
			unavailable("1")(d)
			d.Spec.UpdateStrategy.Type = appsv1.OnDeleteDaemonSetStrategyType
		})).To(Succeed(), "OnDelete with a budget that it does not use")
		Expect(create(func(d *appsv1.DaemonSet) { d.Spec.UpdateStrategy.Type = "Recreate" })).To(judge.RefusedAt(strategy))
		scene.Saw("RollingUpdate and OnDelete are accepted, Recreate is refused")
	})
}

// matrix is pairs of budgets, where empty is one that is left out, and the field
// because of which the API server refuses them, if it does.
var matrix = []budgetPair{
	{"1", "", ""},
	{"1", "0", ""},
	{"100%", "0", ""},
	{"0", "1", ""},
	{"0", "10%", ""},
	{"0%", "100%", ""},
	{"0", "0", maxUnavailable},
	{"0%", "0%", maxUnavailable},
	{"0", "", maxUnavailable},
	{"", "1", maxSurge},
	{"1", "1", maxSurge},
	{"10%", "10%", maxSurge},
	{"101%", "0", maxUnavailable},
	{"-1", "0", maxUnavailable},
	{"0", "101%", maxSurge},
	{"0", "-1", maxSurge},
}

type budgetPair struct{ unavailable, surge, refusedAt string }

func (b budgetPair) answer() types.GomegaMatcher {
	if b.refusedAt == "" {
		return Succeed()
	}
	return judge.RefusedAt(b.refusedAt)
}

func parse(budget string) *intstr.IntOrString {
	if budget == "" {
		return nil
	}
	return ptr.To(intstr.Parse(budget))
}
