package judge

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/watch"

	"rollcall.dev/rollcall/framework/history"
)

// AskedToGo is the condition that a Pod has been asked to go, or is gone.
func AskedToGo(pod *corev1.Pod) Condition {
	return Condition{Claim: "Pod " + pod.Name + " is asked to go", Lacks: func(state *history.State) string {
		if now := podIn(state, pod); now != nil && !Terminating(now) {
			return DescribePod(now)
		}
		return ""
	}}
}

// Disrupted is the claim that a Pod is asked to go and says why: a disruption,
// for this reason.
// https://kubernetes.io/docs/concepts/workloads/pods/disruptions/#pod-disruption-conditions
func Disrupted(pod *corev1.Pod, reason string) Judge {
	claim := fmt.Sprintf("Pod %s is asked to go by a disruption for the reason %s", pod.Name, reason)
	return Judge{Claim: claim, Find: func(h *history.History) []Violation {
		at, asked := departure(h, pod)
		if asked == nil {
			return neverAsked(pod)
		}
		switch condition := PodCondition(asked, corev1.DisruptionTarget); {
		case condition == nil:
			return []Violation{violation(at, asked, "is asked to go without a word of a disruption")}
		case condition.Status != corev1.ConditionTrue || condition.Reason != reason:
			return []Violation{violation(at, asked, fmt.Sprintf("is asked to go with %s=%s for the reason %s", condition.Type, condition.Status, condition.Reason))}
		}
		return nil
	}}
}

// StaysAtLeast is the claim that a Pod is asked to go, and no sooner than so long
// after an action of the spec. The action is noted before it is done and the
// Pod's departure after it, so that slowness never breaks the claim.
func StaysAtLeast(pod *corev1.Pod, action string, least time.Duration) Judge {
	claim := fmt.Sprintf("Pod %s stays at least %s after %q", pod.Name, least, action)
	return Judge{Claim: claim, Find: func(h *history.History) []Violation {
		at, asked := departure(h, pod)
		if asked == nil {
			return neverAsked(pod)
		}
		if stayed, done := since(h, action, at); !done || stayed < least {
			return []Violation{violation(at, asked, fmt.Sprintf("is asked to go after %s", stayed.Round(time.Millisecond)))}
		}
		return nil
	}}
}

// GoesBefore is the claim that a Pod is asked to go before another one is.
func GoesBefore(first, second *corev1.Pod) Judge {
	claim := fmt.Sprintf("Pod %s is asked to go before Pod %s", first.Name, second.Name)
	return Judge{Claim: claim, Find: func(h *history.History) []Violation {
		at, asked := departure(h, first)
		if asked == nil {
			return neverAsked(first)
		}
		if other, gone := departure(h, second); gone != nil && other.Before(at) {
			return []Violation{violation(at, asked, fmt.Sprintf("is asked to go %s after Pod %s", at.Sub(other).Round(time.Millisecond), second.Name))}
		}
		return nil
	}}
}

// departure returns the state in which a Pod has first been asked to go, and
// when that was seen; nil if it was not.
func departure(h *history.History, pod *corev1.Pod) (time.Time, *corev1.Pod) {
	for _, change := range h.Lives(pod.UID) {
		if now, ok := change.Object.(*corev1.Pod); ok && (Terminating(now) || change.Type == watch.Deleted) {
			return change.At, now
		}
	}
	return time.Time{}, nil
}

func neverAsked(pod *corev1.Pod) []Violation {
	return []Violation{{Pod: pod.Name, Message: "was never asked to go"}}
}
