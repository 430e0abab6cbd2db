package judge_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"rollcall.dev/rollcall/framework/judge"
)

func TestNoneLeavesBut(t *testing.T) {
	one, two := pod("1", "a"), pod("2", "b")
	claim := judge.NoneLeavesBut(agentUID, one.UID)

	holds(t, claim, tell(added(one), added(two), changed(pod("1", "a", terminating)), removed(one), added(pod("3", "a"))))
	holds(t, claim, tell(added(one), removed(pod("4", "b", ownedBy("other")))))

	breaks(t, claim, tell(added(one), added(two), changed(pod("2", "b", terminating))), "Pod 2 on node b goes")
	breaks(t, claim, tell(added(one), added(two), removed(two), added(two)), "Pod 2 on node b goes")
}

func TestUndisturbed(t *testing.T) {
	one := pod("1", "a")
	claim := judge.Undisturbed(one)

	holds(t, claim, tell(added(one), changed(pod("1", "a", ready)), removed(pod("2", "b"))))

	breaks(t, claim, tell(added(one), removed(one)), "Pod 1")
	breaks(t, claim, tell(added(one), changed(pod("1", "a", terminating)), changed(one)), "Pod 1")
}

func TestReplacesFailed(t *testing.T) {
	one, failed := pod("1", "a"), pod("1", "a", phase(corev1.PodFailed))
	next := pod("2", "a")
	claim := judge.ReplacesFailed(agentUID)

	holds(t, claim, tell(added(one), changed(failed), removed(failed), added(next)))

	breaks(t, claim, tell(added(one)), "0 Pods failed")
	breaks(t, claim, tell(added(one), changed(failed)), "1 Pods failed", "on 0 nodes")
	breaks(t, claim, tell(added(one), changed(failed), removed(failed)), "on 1 nodes one was deleted")
	breaks(t, claim, tell(added(one), changed(failed), removed(failed), added(pod("2", "b"))), "none another one followed")
	breaks(t, claim, tell(added(one), removed(one), added(next)), "0 Pods failed")
}
