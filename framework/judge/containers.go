package judge

import (
	"fmt"
	"iter"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"rollcall.dev/rollcall/framework/history"
)

// The conditions and claims of this file are about one Pod, by UID: a later Pod
// of the same name is another one.

// IsReady is the condition that a Pod is Ready.
func IsReady(pod *corev1.Pod) Condition {
	return aboutPod(pod, "is Ready", Ready)
}

// InPhase is the condition that a Pod is in a phase.
func InPhase(pod *corev1.Pod, phase corev1.PodPhase) Condition {
	return aboutPod(pod, "is "+string(phase), func(now *corev1.Pod) bool { return now.Status.Phase == phase })
}

// Finishes is the condition that a Pod's containers have ended for good, well
// or not.
func Finishes(pod *corev1.Pod) Condition { return aboutPod(pod, "is finished", Finished) }

// Gone is the condition that a Pod is no longer there.
func Gone(pod *corev1.Pod) Condition {
	return Condition{Claim: "Pod " + pod.Name + " is gone", Lacks: func(state *history.State) string {
		if now := podIn(state, pod); now != nil {
			return DescribePod(now)
		}
		return ""
	}}
}

// Running is the condition that a container runs for the n-th time or a later
// one; the first time is 1.
func Running(pod *corev1.Pod, container string, n int32) Condition {
	return aboutPod(pod, fmt.Sprintf("has container %s running, start %d or later", container, n), func(now *corev1.Pod) bool {
		status := StatusOf(now, container)
		return status != nil && status.State.Running != nil && status.RestartCount+1 >= n
	})
}

// Restarted is the condition that a container has been restarted at least n
// times.
func Restarted(pod *corev1.Pod, container string, n int32) Condition {
	return aboutPod(pod, fmt.Sprintf("has restarted container %s %d times", container, n), func(now *corev1.Pod) bool {
		status := StatusOf(now, container)
		return status != nil && status.RestartCount >= n
	})
}

// Ended is the condition that a container has ended with a code and is not
// waiting to be restarted.
func Ended(pod *corev1.Pod, container string, code int32) Condition {
	return aboutPod(pod, fmt.Sprintf("has container %s ended with %d", container, code), func(now *corev1.Pod) bool {
		status := StatusOf(now, container)
		return status != nil && status.State.Terminated != nil && status.State.Terminated.ExitCode == code
	})
}

// NeverStarted is the claim that a container has never run.
func NeverStarted(pod *corev1.Pod, container string) Judge {
	return throughout(pod, fmt.Sprintf("container %s never starts", container), func(now *corev1.Pod) string {
		if status := StatusOf(now, container); status != nil && HasRun(*status) {
			return "has started it: " + DescribeContainer(*status)
		}
		return ""
	})
}

// OnlyPod is the claim that no other Pod of the same name is seen: whatever
// happened to its containers, it stays the same Pod.
func OnlyPod(pod *corev1.Pod) Judge {
	return Always(Condition{
		Claim: fmt.Sprintf("%s is the Pod with UID %s", pod.Name, pod.UID),
		Lacks: func(state *history.State) string {
			if now := state.Pod(pod.Name); now != nil && now.UID != pod.UID {
				return fmt.Sprintf("there is another Pod %s, with UID %s", pod.Name, now.UID)
			}
			return ""
		},
	})
}

// StatusOf returns what a Pod reports of a container of either kind, or nil if
// it reports nothing.
func StatusOf(pod *corev1.Pod, container string) *corev1.ContainerStatus {
	for _, status := range slices.Concat(pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses) {
		if status.Name == container {
			return &status
		}
	}
	return nil
}

// HasRun reports whether a container runs or ever ran. A container that never
// started can be reported as terminated when its Pod is deleted; it has no
// start time then. https://github.com/kubernetes/kubernetes/blob/v1.37.2/pkg/kubelet/status/status_manager.go
func HasRun(status corev1.ContainerStatus) bool { return !started(status).IsZero() }

// started returns the earliest start of a container that its status still
// tells of, to the second, by the clock of its node.
func started(status corev1.ContainerStatus) time.Time {
	var earliest metav1.Time
	for _, state := range []corev1.ContainerState{status.State, status.LastTerminationState} {
		var start metav1.Time
		switch {
		case state.Running != nil:
			start = state.Running.StartedAt
		case state.Terminated != nil:
			start = state.Terminated.StartedAt
		}
		if !start.IsZero() && (earliest.IsZero() || start.Before(&earliest)) {
			earliest = start
		}
	}
	return earliest.Time
}

func podIn(state *history.State, pod *corev1.Pod) *corev1.Pod {
	for _, now := range state.Pods() {
		if now.UID == pod.UID {
			return now
		}
	}
	return nil
}

func aboutPod(pod *corev1.Pod, claim string, holds func(*corev1.Pod) bool) Condition {
	return Condition{Claim: "Pod " + pod.Name + " " + claim, Lacks: func(state *history.State) string {
		switch now := podIn(state, pod); {
		case now == nil:
			return "Pod " + pod.Name + " is not there"
		case !holds(now):
			return "Pod " + pod.Name + ": " + DescribePod(now)
		default:
			return ""
		}
	}}
}

// throughout is the claim that no state of a Pod is at fault, the last one
// before its deletion included.
func throughout(pod *corev1.Pod, claim string, fault func(*corev1.Pod) string) Judge {
	return Judge{Claim: "of Pod " + pod.Name + ", " + claim, Find: func(h *history.History) []Violation {
		var violations []Violation
		for at, now := range statesOf(h, pod) {
			if message := fault(now); message != "" {
				violations = append(violations, violation(at, now, message))
			}
		}
		return violations
	}}
}

// statesOf returns every recorded state of a Pod with the instant at which it
// was seen; the state with which it was deleted comes last.
func statesOf(h *history.History, pod *corev1.Pod) iter.Seq2[time.Time, *corev1.Pod] {
	return func(yield func(time.Time, *corev1.Pod) bool) {
		for _, change := range h.Lives(pod.UID) {
			if now, ok := change.Object.(*corev1.Pod); ok && !yield(change.At, now) {
				return
			}
		}
	}
}

// lastState returns the newest recorded state of a Pod and when it was seen; if
// there is none, the Pod as it was created.
func lastState(h *history.History, pod *corev1.Pod) (at time.Time, last *corev1.Pod) {
	last = pod
	for changed, now := range statesOf(h, pod) {
		at, last = changed, now
	}
	return at, last
}

func violation(at time.Time, pod *corev1.Pod, message string) Violation {
	return Violation{At: at, Node: pod.Spec.NodeName, Pod: pod.Name, Message: message}
}
