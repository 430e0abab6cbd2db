package updates

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/fixtures/workload"
	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

// lingering is how long a slow Pod takes to end, within its grace period.
const lingering = 6 * time.Second

func slow(cluster *scene.Cluster) {
	It("waits for a Pod that is slow to end, counts it against the budget, and goes on afterwards", requirement.Checks("UPD-25"), func(ctx SpecContext) {
		agent := running(ctx, cluster, two, unavailable("1"), pods(slowToEnd))

		agent.update(ctx, fixtures.Version("2"))

		agent.awaitVersion(ctx, "2", judge.AtMostOneUnfinished(agent.set.UID), agent.UnavailableAtMost(1))
		for _, pod := range agent.first {
			took := agent.ending(pod)
			scene.Saw("Pod %s took %s to end", pod.Name, took.Round(time.Second))
			if took < lingering-time.Second {
				scene.Doubt("Pod %s ended after %s, too soon to hold anything up", pod.Name, took)
			}
		}
	})
}

// slowToEnd is a Pod that takes its time when it is told to go.
func slowToEnd(t *corev1.PodTemplateSpec) {
	fixtures.With(fixtures.Container("app", workload.OnTerm(workload.Sleep(lingering)), workload.Serve()))(t)
	t.Spec.TerminationGracePeriodSeconds = ptr.To(int64(30))
}

// ending returns how long a Pod was seen terminating before it had ended.
func (s *subject) ending(pod *corev1.Pod) time.Duration {
	var told, last time.Time
	for _, change := range s.History.Lives(pod.UID) {
		now, ok := change.Object.(*corev1.Pod)
		if !ok || change.Kind != history.Pod || !judge.Terminating(now) {
			continue
		}
		if told.IsZero() {
			told = change.At
		}
		last = change.At
	}
	return last.Sub(told)
}
