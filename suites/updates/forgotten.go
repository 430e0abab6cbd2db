package updates

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	corev1 "k8s.io/api/core/v1"

	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/requirement"
)

// forgottenSurge: the controller asks its queue for a sync when a surge Pod that is
// Ready will have been so for minReadySeconds. If the queue holds one that comes
// before, for another Pod or after an error, that is all that comes. Without surge
// the status would tell that a Pod is not available yet, and call for another one;
// here the old Pod speaks for the node.
var forgottenSurge = requirement.Deviation{
	ID: "KD-13", Until: "1.37",
	Seen: "Of two syncs that are due, the controller keeps the earlier one only. If that comes before a surge Pod has been Ready for minReadySeconds, the old Pod stays until the controller next looks at the DaemonSet, 12 hours later at worst.",
	Link: "https://github.com/kubernetes/kubernetes/issues/133560",
}

// overdue is how long after a surge Pod is available its predecessor is told to go, at
// the latest; the controller does it within a second or two.
const overdue = 20 * time.Second

// wakeIfForgotten goes along with an update to a version until that is done or a
// promise is broken. Where a node's old Pod is forgotten, in the way that is known of
// the release, the controller is made to look again, and then there is no excuse.
func (s *subject) wakeIfForgotten(ctx SpecContext, version string, promises ...judge.Judge) {
	GinkgoHelper()
	const looks = 10
	done := s.allOf(version).UnlessBroken(s.History.History, promises...)
	for range looks {
		if s.Sees(ctx, overdue, done) {
			return
		}
		if old := s.forgotten(version, time.Now()); old != nil {
			s.Waive(forgottenSurge, "More than %s after the Pod of version %s on node %s was available: %s.",
				overdue, version, old.Spec.NodeName, judge.DescribePod(old))
			s.LookAgain(ctx, s.set.Name)
			return
		}
	}
}

// forgotten returns a Pod that is live although its successor has been available for
// too long, if there is one.
func (s *subject) forgotten(version string, now time.Time) *corev1.Pod {
	state := s.History.Latest()
	available := map[string]bool{}
	for _, pod := range s.of(state, version) {
		available[pod.Spec.NodeName] = judge.Available(pod, s.MinReady, now.Add(-overdue))
	}
	for _, pod := range state.PodsOf(s.set.UID) {
		if judge.Live(pod) && versionOf(pod) != version && available[pod.Spec.NodeName] {
			return pod
		}
	}
	return nil
}
