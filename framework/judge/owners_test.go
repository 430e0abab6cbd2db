package judge_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"rollcall.dev/rollcall/framework/judge"
)

func TestOwnersKept(t *testing.T) {
	one, taken := pod("1", "a"), pod("1", "a", ownedBy("other"))
	claim := judge.OwnersKept()

	holds(t, claim, tell(added(one), changed(pod("1", "a", ready)), added(pod("2", "b", nobodys))))

	breaks(t, claim, tell(added(one), changed(taken), changed(one)), "Pod 1", "uid-other")
	breaks(t, claim, tell(added(one), changed(pod("1", "a", nobodys))), "and now to nobody")
	breaks(t, claim, tell(added(pod("1", "a", nobodys)), changed(one)), "belonged to nobody")

	holds(t, judge.OwnersKept("uid-2"), tell(added(one), changed(taken)))
	breaks(t, judge.OwnersKept("uid-1"), tell(added(one), changed(taken)))
}

func TestOrphanedAndControlled(t *testing.T) {
	one, orphan := pod("1", "a"), pod("1", "a", nobodys)

	holds(t, judge.Orphaned(one), tell(added(one), changed(orphan)))
	breaks(t, judge.Orphaned(one), tell(added(one)))
	breaks(t, judge.Orphaned(one), tell(added(one), changed(pod("1", "a", nobodys, terminating))))
	breaks(t, judge.Orphaned(one), tell(added(one), removed(orphan)), "is not there")

	holds(t, judge.ControlledBy(orphan, agentUID), tell(added(orphan), changed(one)))
	breaks(t, judge.ControlledBy(orphan, agentUID), tell(added(orphan)))
	breaks(t, judge.ControlledBy(orphan, agentUID), tell(added(orphan), changed(pod("1", "a", ownedBy("other")))))
}

func TestRemovedAndPodless(t *testing.T) {
	cluster, nodes := threeNodes()
	kept := agent()
	kept.Finalizers = []string{metav1.FinalizerDeleteDependents}

	holds(t, judge.Removed("agent", agentUID), tell(added(kept), removed(kept)))
	again := agent()
	again.UID = "uid-again"
	holds(t, judge.Removed("agent", agentUID), tell(added(kept), removed(kept), added(again)))
	breaks(t, judge.Removed("agent", agentUID), tell(added(kept)), metav1.FinalizerDeleteDependents)

	one := pod("1", "a")
	holds(t, judge.Podless(agentUID, nodes), tell(with(cluster, added(one), removed(one), added(pod("2", "virtual")))...))
	breaks(t, judge.Podless(agentUID, nodes), tell(with(cluster, added(pod("1", "a", terminating)))...), "Pod 1 on node a")
	breaks(t, judge.Podless(agentUID, nodes), tell(with(cluster, added(pod("1", "c")))...), "Pod 1 on node c")
}

func TestTold(t *testing.T) {
	event := func(name, reason string, about types.UID) *corev1.Event {
		return &corev1.Event{ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID(name)}, Reason: reason, InvolvedObject: corev1.ObjectReference{UID: about}}
	}
	claim := judge.Told(agentUID, "FailedCreate")

	holds(t, claim, tell(added(event("1", "SuccessfulCreate", agentUID)), added(event("2", "FailedCreate", agentUID))))

	breaks(t, claim, tell(), "[]")
	breaks(t, claim, tell(added(event("1", "SuccessfulCreate", agentUID)), added(event("2", "FailedCreate", "uid-other"))), "[SuccessfulCreate]")
}
