package drain

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

const (
	// guard is the PodDisruptionBudget of these specs.
	guard = "guard"
	// A drain tries again after 5 seconds. It looks at its limit before each try,
	// so that this one ends after 10.
	patience = "--timeout=9s"
)

func budgets(cluster *scene.Cluster) {
	It("tries in vain to evict a Pod whose PodDisruptionBudget is used up, until its time is over", requirement.Checks("DRN-11"), func(ctx SpecContext) {
		stage := simulated(ctx, cluster)
		guarded, budget := stage.guarded(ctx)
		free := stage.ordinary(ctx, "free")

		answer := stage.Drain(ctx, stage.node, "--ignore-daemonsets", "--force", patience)

		answers(answer, 1, "global timeout reached")
		Expect(answer.Err).To(MatchRegexp(`(?s)will retry.*disruption budget.*will retry.*disruption budget`))
		Expect(stage.History).To(judge.Undisturbed(guarded))
		stage.Await(ctx, limit.PodGone, judge.Gone(free).And(isCordoned(stage.node)))

		stage.AwaitBudget(ctx, stage.RelaxBudget(ctx, budget), "allows an eviction", judge.Allows(1))
		answers(stage.Drain(ctx, stage.node, "--ignore-daemonsets", "--force"), 0, "drained")
		stage.Await(ctx, limit.PodGone, judge.Gone(guarded))
	})

	It("heeds no PodDisruptionBudget if told to delete instead of to evict", requirement.Checks("DRN-11"), func(ctx SpecContext) {
		stage := simulated(ctx, cluster)
		guarded, _ := stage.guarded(ctx)
		// The contrast: the same Pod is not evicted.
		Expect(stage.refusal(ctx, guarded)).To(Satisfy(apierrors.IsTooManyRequests))

		answers(stage.Drain(ctx, stage.node, "--ignore-daemonsets", "--force", "--disable-eviction"), 0, "drained")

		stage.Await(ctx, limit.PodGone, judge.Gone(guarded))
	})
}

func guardedDaemons(cluster *scene.Cluster) {
	for _, kind := range []struct {
		text   string
		budget *policyv1.PodDisruptionBudget
	}{
		{"maxUnavailable", fixtures.MaxUnavailable(guard, "1")},
		{"a percentage", fixtures.MinAvailable(guard, "50%")},
	} {
		It("evicts no Pod of a DaemonSet under a PodDisruptionBudget with "+kind.text, requirement.Checks("DRN-12"), func(ctx SpecContext) {
			stage := simulated(ctx, cluster, fixtures.GuardedBy(guard))
			budget := stage.CreateBudget(ctx, kind.budget)
			counted := stage.AwaitBudget(ctx, budget, "cannot be worked out", judge.SyncFailed)
			scene.Saw("PodDisruptionBudget with %s: %s", kind.text, judge.DescribeBudget(counted))

			Expect(stage.refusal(ctx, stage.daemon)).To(Satisfy(apierrors.IsTooManyRequests))

			Expect(stage.History).To(judge.Undisturbed(stage.daemon))
			// A drain does not even try.
			answers(stage.Drain(ctx, stage.node, "--ignore-daemonsets"), 0, daemonWarning)
		})
	}

	It("evicts a Pod of a DaemonSet under a PodDisruptionBudget that counts Pods", requirement.Checks("DRN-12"), func(ctx SpecContext) {
		stage := simulated(ctx, cluster, fixtures.GuardedBy(guard))
		budget := stage.CreateBudget(ctx, fixtures.MinAvailable(guard, "0"))
		counted := stage.AwaitBudget(ctx, budget, "allows an eviction", judge.Allows(1))
		scene.Saw("PodDisruptionBudget with minAvailable 0: %s", judge.DescribeBudget(counted))

		stage.EvictPod(ctx, stage.daemon)

		stage.Await(ctx, limit.PodGone, judge.Gone(stage.daemon))
		Expect(stage.History).To(judge.Disrupted(stage.daemon, evictedByAPI))
		stage.awaitDaemon(ctx)
	})
}

// evictedByAPI is why a Pod goes that a drain evicts.
const evictedByAPI = "EvictionByEvictionAPI"

// guarded creates a Pod with a PodDisruptionBudget that cannot spare it.
func (t *trial) guarded(ctx SpecContext) (*corev1.Pod, *policyv1.PodDisruptionBudget) {
	GinkgoHelper()
	pod := t.ordinary(ctx, "guarded", fixtures.GuardedBy(guard))
	budget := t.CreateBudget(ctx, fixtures.MinAvailable(guard, "1"))
	t.AwaitBudget(ctx, budget, "spares no Pod", judge.Allows(0))
	return pod, budget
}

// refusal is the API server's answer to an eviction.
func (t *trial) refusal(ctx SpecContext, pod *corev1.Pod) error {
	err := t.TryEvict(ctx, pod)
	if err != nil {
		scene.Saw("the eviction of Pod %s is refused: %v", pod.Name, err)
	}
	return err
}
