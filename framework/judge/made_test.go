package judge_test

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"rollcall.dev/rollcall/framework/judge"
)

func TestNoneMadeBut(t *testing.T) {
	first := pod("1", "a")
	claim := judge.NoneMadeBut(agentUID, "a", first.UID)
	holds(t, claim, tell(added(first), removed(first), added(pod("2", "b"))))
	breaks(t, claim, tell(added(first), removed(first), added(pod("2", "a"))), "is made for node a")
}

func TestEachMadeFor(t *testing.T) {
	old := func(p *corev1.Pod) string {
		if p.Labels["version"] == "1" {
			return "is old"
		}
		return ""
	}
	claim := judge.EachMadeFor(agentUID, "a", "is new", old)
	labelled := func(p *corev1.Pod) { p.Labels = map[string]string{"version": "1"} }
	holds(t, claim, tell(added(pod("1", "b", labelled)), added(pod("2", "a"))))
	breaks(t, claim, tell(added(pod("1", "a", labelled)), removed(pod("1", "a")), added(pod("2", "a"))), "Pod 1 on node a is old")
	breaks(t, claim, tell(added(pod("1", "b"))), "no such Pod was ever seen")
}

func TestKeptReady(t *testing.T) {
	claim := judge.KeptReady(pod("1", "a"))
	holds(t, claim, tell(added(pod("1", "a")), changed(pod("1", "a", ready))))
	breaks(t, claim, tell(added(pod("1", "a", ready)), changed(pod("1", "a")), changed(pod("1", "a", ready))), "is Pending")
	breaks(t, claim, tell(added(pod("1", "a"))), "was never Ready")
	breaks(t, claim, tell(), "was never Ready")
}

func TestIs(t *testing.T) {
	claim := judge.Is(pod("1", "a"), "is Ready", judge.Ready)
	holds(t, claim, tell(added(pod("1", "a", ready))))
	breaks(t, claim, tell(added(pod("1", "a"))), "Pending")
	breaks(t, claim, tell(), "not there")
}

func TestCounts(t *testing.T) {
	says := func(desired, misscheduled int32) *appsv1.DaemonSet {
		return agent(reporting(appsv1.DaemonSetStatus{DesiredNumberScheduled: desired, NumberMisscheduled: misscheduled}))
	}
	holds(t, judge.Counts("agent", 1, 1), tell(added(says(1, 1))))
	breaks(t, judge.Counts("agent", 1, 1), tell(added(says(2, 0))), "desired 2")
	breaks(t, judge.Counts("agent", 1, 1), tell(added(node("a", readiness(corev1.ConditionTrue)))), "no such DaemonSet")
}

func TestPreempted(t *testing.T) {
	by := func(reason string) func(*corev1.Pod) {
		return func(p *corev1.Pod) {
			p.Status.Conditions = []corev1.PodCondition{{Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue, Reason: reason}}
		}
	}
	claim := judge.Preempted(pod("1", "a"))
	holds(t, claim, tell(added(pod("1", "a")), changed(pod("1", "a", by("PreemptionByScheduler"), terminating))))
	breaks(t, claim, tell(added(pod("1", "a")), changed(pod("1", "a", by("EvictionByEvictionAPI"), terminating))), "another reason")
	breaks(t, claim, tell(changed(pod("1", "a", terminating))), "another reason")
	breaks(t, claim, tell(added(pod("1", "a", by("PreemptionByScheduler")))), "stays")
}
