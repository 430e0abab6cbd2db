package judge_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/judge"
)

// serving is a Ready Pod on a node.
func serving(name, node string, changes ...func(*corev1.Pod)) *corev1.Pod {
	return pod(name, node, append([]func(*corev1.Pod){bound(node), ready}, changes...)...)
}

// unready takes the Ready condition away.
func unready(p *corev1.Pod) { p.Status.Conditions = nil }

// coveredPair is a DaemonSet with an available Pod on each of two nodes.
func coveredPair() ([]step, judge.Rollout) {
	cluster, nodes := threeNodes()
	return with(cluster, added(pod("1", "a")), changed(serving("1", "a")), added(serving("2", "b"))), judge.RolloutOf(agent(), nodes)
}

// replace is how a Pod goes and another one takes its place.
func replace(node, old, next string) []step {
	return []step{
		changed(serving(old, node, terminating)), removed(serving(old, node, terminating)),
		added(pod(next, node)), changed(serving(next, node)),
	}
}

func TestUnavailableAtMost(t *testing.T) {
	covered, rollout := coveredPair()
	inTurn := with(with(covered, replace("a", "1", "3")...), replace("b", "2", "4")...)

	holds(t, rollout.UnavailableAtMost(1), tell(inTurn...))
	holds(t, rollout.UnavailableReaches(1), tell(inTurn...))
	breaks(t, rollout.UnavailableReaches(2), tell(inTurn...), "on 1 nodes at most")
	breaks(t, rollout.UnavailableAtMost(0), tell(inTurn...), "on 1 nodes")

	tooSoon := with(covered,
		changed(serving("1", "a", terminating)), removed(serving("1", "a")), added(pod("3", "a")),
		changed(serving("2", "b", terminating)), changed(serving("3", "a")), removed(serving("2", "b")), added(serving("4", "b")))
	breaks(t, rollout.UnavailableAtMost(1), tell(tooSoon...), "on 2 nodes", "a (3 Pending)", "b (no live Pod)")
	holds(t, rollout.UnavailableAtMost(2), tell(tooSoon...))
	holds(t, rollout.UnavailableReaches(2), tell(tooSoon...))
}

func TestUnavailableAtMostStartsWhenEveryNodeIsCovered(t *testing.T) {
	covered, rollout := coveredPair()
	holds(t, rollout.UnavailableAtMost(0), tell(covered...))
	breaks(t, rollout.UnavailableAtMost(1), tell(covered[:len(covered)-1]...), "never was an available Pod on each node")
}

// What a Pod does by itself is not the update's fault, but what comes after is.
func TestUnavailableAtMostForgivesWhatHappensByItself(t *testing.T) {
	covered, rollout := coveredPair()
	crashed := with(covered, changed(serving("2", "b", unready)))
	holds(t, rollout.UnavailableAtMost(0), tell(crashed...))

	gone := with(crashed, changed(serving("2", "b", unready, terminating)))
	breaks(t, rollout.UnavailableAtMost(0), tell(gone...), "b (no live Pod)")

	failed := with(covered, changed(serving("2", "b", phase(corev1.PodFailed))))
	breaks(t, rollout.UnavailableAtMost(0), tell(failed...), "b (no live Pod)")
}

func TestUnavailableAtMostHeedsMinReady(t *testing.T) {
	_, rollout := coveredPair()
	rollout.MinReady = 10 * time.Second
	start := time.Unix(1000, 0)
	since := func(second int) func(*corev1.Pod) {
		return func(p *corev1.Pod) {
			p.Status.Conditions[0].LastTransitionTime = metav1.NewTime(start.Add(time.Duration(second) * time.Second))
		}
	}
	next := func(secondDeletionAt int) *history.History {
		h := history.New()
		say := func(second int, s step) {
			h.AppendAt(start.Add(time.Duration(second)*time.Second), kindOf(s.object), s.change, s.object)
		}
		say(20, added(serving("1", "a", since(0))))
		say(20, added(serving("2", "b", since(0))))
		say(21, changed(serving("1", "a", since(0), terminating)))
		say(22, removed(serving("1", "a", since(0))))
		say(23, added(pod("3", "a")))
		say(24, changed(serving("3", "a", since(24))))
		say(secondDeletionAt, changed(serving("2", "b", since(0), terminating)))
		return h
	}

	holds(t, rollout.UnavailableAtMost(1), next(34))
	breaks(t, rollout.UnavailableAtMost(1), next(30), "on 2 nodes")
	rollout.MinReady = 0
	holds(t, rollout.UnavailableAtMost(1), next(25))
}

func TestAvailableThroughout(t *testing.T) {
	covered, rollout := coveredPair()
	surging := with(covered, added(pod("3", "a")), changed(serving("3", "a")), changed(serving("1", "a", terminating)), removed(serving("1", "a")))
	holds(t, rollout.AvailableThroughout(), tell(surging...))

	hasty := with(covered, added(pod("3", "a")), changed(serving("1", "a", terminating)), changed(serving("3", "a")))
	breaks(t, rollout.AvailableThroughout(), tell(hasty...), "a (3 Pending)")
	breaks(t, rollout.AvailableThroughout(), tell(with(covered, replace("a", "1", "3")...)...), "a (no live Pod)")
}

func TestSurgeAtMost(t *testing.T) {
	covered, rollout := coveredPair()
	// The old Pod of a goes after the new one of b was made, which is allowed.
	inTurn := with(covered, added(pod("3", "a")), changed(serving("3", "a")), added(pod("4", "b")),
		changed(serving("1", "a", terminating)), changed(serving("4", "b")), changed(serving("2", "b", terminating)))
	holds(t, rollout.SurgeAtMost(1), tell(inTurn...))
	holds(t, rollout.SurgeReaches(1), tell(inTurn...))
	breaks(t, rollout.SurgeReaches(2), tell(inTurn...), "on 1 nodes at most")

	both := with(covered, added(pod("3", "a")), added(pod("4", "b")), changed(serving("3", "a")))
	breaks(t, rollout.SurgeAtMost(1), tell(both...), "on 2 nodes", "3 Pending")
	holds(t, rollout.SurgeReaches(2), tell(both...))

	// A node whose only Pod is unavailable has no second one.
	holds(t, rollout.SurgeAtMost(0), tell(with(covered, replace("a", "1", "3")...)...))
}

func TestSparesAvailable(t *testing.T) {
	covered, rollout := coveredPair()
	crashed := with(covered, changed(serving("1", "a", unready)))

	holds(t, rollout.SparesAvailable(1), tell(with(covered, changed(serving("1", "a", terminating)))...))
	holds(t, rollout.SparesAvailable(1), tell(with(crashed, changed(serving("1", "a", unready, terminating)))...))
	breaks(t, rollout.SparesAvailable(1), tell(with(crashed, changed(serving("2", "b", terminating)))...), "Pod 2 on node b", "a (1 Running)")
	holds(t, rollout.SparesAvailable(2), tell(with(crashed, changed(serving("2", "b", terminating)))...))
}

// A Pod that was told to go and cannot end leaves its node without one, until the
// node is back.
func TestSparesAvailableWhileANodeIsLost(t *testing.T) {
	covered, rollout := coveredPair()
	lost := with(covered, changed(serving("1", "a", unready)), changed(serving("1", "a", unready, terminating)))
	back := with(lost, removed(serving("1", "a", unready, terminating)), added(pod("3", "a")))
	next := replace("b", "2", "4")

	holds(t, rollout.SparesAvailable(1), tell(with(with(back, changed(serving("3", "a"))), next...)...))
	breaks(t, rollout.SparesAvailable(1), tell(with(back, next...)...), "Pod 2 on node b", "a (3 Pending)")
	breaks(t, rollout.SparesAvailable(1), tell(with(lost, next...)...), "Pod 2 on node b", "a (no live Pod)")
	holds(t, rollout.SparesAvailable(2), tell(with(lost, next...)...))
}

func TestGoBeforeNew(t *testing.T) {
	covered, rollout := coveredPair()
	one, two := serving("1", "a"), serving("2", "b")
	claim := rollout.GoBeforeNew(map[string]*corev1.Pod{"a": one, "b": two}, one, two)
	next := []step{added(pod("3", "a")), changed(serving("3", "a"))}

	together := with(covered, changed(serving("1", "a", terminating)), changed(serving("2", "b", terminating)))
	holds(t, claim, tell(with(together, next...)...))
	breaks(t, claim, tell(together...), "no new Pod was ever available")
	breaks(t, claim, tell(with(covered, with(replace("a", "1", "3"), replace("b", "2", "4")...)...)...), "Pod 2 on node b has not been told to go yet")
}
