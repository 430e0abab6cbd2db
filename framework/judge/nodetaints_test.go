package judge_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"rollcall.dev/rollcall/framework/judge"
)

var (
	noSchedule = corev1.Taint{Key: "k", Effect: corev1.TaintEffectNoSchedule}
	noExecute  = corev1.Taint{Key: "k", Effect: corev1.TaintEffectNoExecute}
)

func readiness(status corev1.ConditionStatus) func(*corev1.Node) {
	return func(n *corev1.Node) { n.Status.Conditions[0].Status = status }
}

func TestTainted(t *testing.T) {
	both := node("a", taint("k", corev1.TaintEffectNoSchedule), taint("k", corev1.TaintEffectNoExecute))
	holds(t, judge.Tainted("a", noSchedule, noExecute), tell(added(both)))
	holds(t, judge.Untainted("a", "other"), tell(added(both)))

	breaks(t, judge.Tainted("a", noSchedule, noExecute), tell(added(node("a", taint("k", corev1.TaintEffectNoSchedule)))), "taint k:NoSchedule")
	breaks(t, judge.Tainted("a", noSchedule), tell(added(node("b"))), "gone")
	breaks(t, judge.Untainted("a", "other", "k"), tell(added(both)), "k:NoExecute")
	breaks(t, judge.Untainted("a", "k"), tell(added(node("b"))), "gone")
}

func TestNeverTainted(t *testing.T) {
	tainted := node("a", taint("k", corev1.TaintEffectNoExecute))
	holds(t, judge.NeverTainted("a", noSchedule), tell(added(tainted)))
	breaks(t, judge.NeverTainted("a", noExecute), tell(added(node("a")), changed(tainted), changed(node("a"))), "k:NoExecute")
}

func TestBornWith(t *testing.T) {
	tainted := node("a", taint("k", corev1.TaintEffectNoSchedule))
	holds(t, judge.BornWith("uid-a", noSchedule), tell(added(tainted), changed(node("a"))))
	breaks(t, judge.BornWith("uid-a", noSchedule), tell(added(node("a")), changed(tainted)), "it is created Ready")
	breaks(t, judge.BornWith("uid-a", noSchedule), tell(changed(tainted)), "was not seen")
	breaks(t, judge.BornWith("uid-a", noSchedule), tell(), "was not seen")
}

func TestReadyIs(t *testing.T) {
	silent := node("a", readiness(corev1.ConditionUnknown))
	holds(t, judge.ReadyIs("a", corev1.ConditionUnknown), tell(added(silent)))
	breaks(t, judge.ReadyIs("a", corev1.ConditionUnknown), tell(added(node("a"))), "Ready=True")
	breaks(t, judge.ReadyIs("a", corev1.ConditionUnknown), tell(), "gone")
}

func TestUnreachable(t *testing.T) {
	both := []func(*corev1.Node){
		taint(corev1.TaintNodeUnreachable, corev1.TaintEffectNoSchedule), taint(corev1.TaintNodeUnreachable, corev1.TaintEffectNoExecute),
	}
	silent := readiness(corev1.ConditionUnknown)
	holds(t, judge.Unreachable("a"), tell(added(node("a", append(both, silent)...))))
	breaks(t, judge.Unreachable("a"), tell(added(node("a", both...))), "Ready=True")
	breaks(t, judge.Unreachable("a"), tell(added(node("a", both[0], silent))), "taint "+corev1.TaintNodeUnreachable+":NoSchedule")
}

func TestStaysReady(t *testing.T) {
	down := node("a", readiness(corev1.ConditionFalse))
	holds(t, judge.StaysReady("a"), tell(added(down), changed(node("a")), changed(node("a"))))
	breaks(t, judge.StaysReady("a"), tell(added(node("a")), changed(down), changed(node("a"))), "stops being Ready")
	breaks(t, judge.StaysReady("a"), tell(added(node("a")), removed(node("a"))), "stops being Ready")
	breaks(t, judge.StaysReady("a"), tell(added(down)), "never Ready")
}
