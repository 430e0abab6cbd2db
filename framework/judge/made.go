package judge

import (
	"fmt"
	"iter"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"rollcall.dev/rollcall/framework/history"
)

// NoneMadeBut is the claim that a DaemonSet never has a Pod for a node other than
// these.
func NoneMadeBut(daemonSet types.UID, node string, pods ...types.UID) Judge {
	claim := fmt.Sprintf("the DaemonSet makes no Pod for node %s but the %d known", node, len(pods))
	return Judge{Claim: claim, Find: func(h *history.History) []Violation {
		var violations []Violation
		for change, pod := range meantFor(node, births(podChanges(h, daemonSet))) {
			if !slices.Contains(pods, pod.UID) {
				violations = append(violations, violation(change.At, pod, "is made for node "+node))
			}
		}
		return violations
	}}
}

// EachMadeFor is the claim that a DaemonSet makes a Pod for a node, and that none
// which it makes there has the fault.
func EachMadeFor(daemonSet types.UID, node, claim string, fault Fault) Judge {
	return Judge{Claim: fmt.Sprintf("each Pod that the DaemonSet makes for node %s %s", node, claim), Find: func(h *history.History) []Violation {
		return faults(h, meantFor(node, births(podChanges(h, daemonSet))), fault)
	}}
}

// meantFor leaves only the changes of Pods for a node.
func meantFor(node string, pods iter.Seq2[history.Change, *corev1.Pod]) iter.Seq2[history.Change, *corev1.Pod] {
	return func(yield func(history.Change, *corev1.Pod) bool) {
		for change, pod := range pods {
			if TargetNode(pod) == node && !yield(change, pod) {
				return
			}
		}
	}
}

// KeptReady is the claim that a Pod, once Ready, never stops being so.
func KeptReady(pod *corev1.Pod) Judge {
	return Judge{Claim: "Pod " + pod.Name + " stays Ready", Find: func(h *history.History) []Violation {
		var violations []Violation
		was := false
		for _, change := range h.Lives(pod.UID) {
			now, ok := change.Object.(*corev1.Pod)
			if !ok {
				continue
			}
			if was && !Ready(now) {
				violations = append(violations, violation(change.At, now, "is "+DescribePod(now)))
			}
			was = Ready(now)
		}
		if !was && len(violations) == 0 {
			violations = append(violations, violation(h.Latest().At, pod, "was never Ready"))
		}
		return violations
	}}
}

// Is is the condition that a Pod is there and satisfies holds.
func Is(pod *corev1.Pod, claim string, holds func(*corev1.Pod) bool) Condition {
	return aboutPod(pod, claim, holds)
}

// Counts is the condition that a DaemonSet's status, for its newest spec, has
// these numbers of desired and misscheduled nodes.
func Counts(name string, desired, misscheduled int32) Condition {
	return Observed(name, fmt.Sprintf("%d desired, %d misscheduled", desired, misscheduled), func(s appsv1.DaemonSetStatus) bool {
		return s.DesiredNumberScheduled == desired && s.NumberMisscheduled == misscheduled
	})
}

// Preempted is the claim that a Pod is asked to go because the scheduler needs its
// place, and says so.
func Preempted(pod *corev1.Pod) Judge {
	return Judge{Claim: "Pod " + pod.Name + " is preempted by the scheduler", Find: func(h *history.History) []Violation {
		for _, change := range h.Lives(pod.UID) {
			now, ok := change.Object.(*corev1.Pod)
			if !ok || !Terminating(now) {
				continue
			}
			target := PodCondition(now, corev1.DisruptionTarget)
			if target != nil && target.Status == corev1.ConditionTrue && target.Reason == corev1.PodReasonPreemptionByScheduler {
				return nil
			}
			return []Violation{violation(change.At, now, fmt.Sprintf("goes for another reason: %v", target))}
		}
		return []Violation{violation(h.Latest().At, pod, "stays")}
	}}
}
