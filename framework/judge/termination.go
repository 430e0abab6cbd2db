package judge

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/watch"

	"rollcall.dev/rollcall/framework/history"
)

// A kubelet tells how the containers of a deleted Pod have ended before it
// removes the Pod, so a recording holds their ends without any help such as a
// finalizer, which could outlive the run.

// GraceGranted is the claim that a Pod that is asked to go is given so many
// seconds. The removal itself, at the end, is a request with none.
func GraceGranted(pod *corev1.Pod, seconds int64) Judge {
	claim := fmt.Sprintf("Pod %s is given %d seconds to end", pod.Name, seconds)
	return Judge{Claim: claim, Find: func(h *history.History) []Violation {
		for at, now := range statesOf(h, pod) {
			switch grace := now.DeletionGracePeriodSeconds; {
			case !Terminating(now):
			case grace == nil || *grace != seconds:
				return []Violation{violation(at, now, "is given "+secondsOf(grace))}
			default:
				return nil
			}
		}
		return []Violation{{Pod: pod.Name, Message: "was never asked to go"}}
	}}
}

func secondsOf(grace *int64) string {
	if grace == nil {
		return "no time"
	}
	return fmt.Sprintf("%d seconds", *grace)
}

// LastsAfterDeletion is the claim that the end of a container is told of no
// sooner than so long after the Pod's deletion was asked for. Both instants are
// this process's, and the second is later than the end itself, so that slowness
// never breaks the claim.
func LastsAfterDeletion(pod *corev1.Pod, container string, least time.Duration) Judge {
	claim := fmt.Sprintf("container %s of Pod %s is left at least %s after the Pod's deletion", container, pod.Name, least)
	return Judge{Claim: claim, Find: func(h *history.History) []Violation {
		for at, now := range statesOf(h, pod) {
			if !ended(now, container) {
				continue
			}
			if lasted, asked := since(h, DeletionOf(pod), at); !asked || lasted < least {
				return []Violation{violation(at, now, fmt.Sprintf("reports its end after %s: %s", lasted.Round(time.Millisecond), DescribePod(now)))}
			}
			return nil
		}
		return []Violation{{Pod: pod.Name, Message: "does not report the end of " + container}}
	}}
}

// EndsBefore is the claim that a container of one Pod is told to have ended before
// that of another is.
func EndsBefore(first, second *corev1.Pod, container string) Judge {
	claim := fmt.Sprintf("container %s of Pod %s ends before that of Pod %s", container, first.Name, second.Name)
	return Judge{Claim: claim, Find: func(h *history.History) []Violation {
		for change, state := range h.States() {
			one, other := ended(state.Pod(first.Name), container), ended(state.Pod(second.Name), container)
			switch {
			case one && !other:
				return nil
			case other:
				return []Violation{{At: change.At, Pod: second.Name, Message: "has ended, and Pod " + first.Name + " has not"}}
			}
		}
		return []Violation{{Pod: first.Name, Message: "does not report the end of " + container}}
	}}
}

// ended reports whether a Pod tells that a container has ended.
func ended(pod *corev1.Pod, container string) bool {
	if pod == nil {
		return false
	}
	status := StatusOf(pod, container)
	return status != nil && status.State.Terminated != nil
}

// DeletionOf is how a history marks that a spec asks for a Pod's deletion.
func DeletionOf(pod *corev1.Pod) string { return "delete Pod " + pod.Name }

// RemovedIn is the claim that a Pod is removed from the API in this phase, with
// the end of every container reported.
func RemovedIn(pod *corev1.Pod, phase corev1.PodPhase) Judge {
	claim := fmt.Sprintf("Pod %s is %s, all of its containers ended, before it is removed", pod.Name, phase)
	return Judge{Claim: claim, Find: func(h *history.History) []Violation {
		at, last, removed := removal(h, pod)
		switch running := runningIn(last); {
		case !removed:
			return []Violation{violation(at, last, "is still there")}
		case last.Status.Phase != phase || running != "":
			return []Violation{violation(at, last, "is removed as "+DescribePod(last))}
		default:
			return nil
		}
	}}
}

// RemovedWhileRunning is the claim that a Pod is removed from the API without a
// word from its node about the end of a container that ran.
func RemovedWhileRunning(pod *corev1.Pod, container string) Judge {
	claim := fmt.Sprintf("Pod %s is removed while container %s is still reported to run", pod.Name, container)
	return Judge{Claim: claim, Find: func(h *history.History) []Violation {
		at, last, removed := removal(h, pod)
		status := StatusOf(last, container)
		switch {
		case !removed:
			return []Violation{violation(at, last, "is still there")}
		case status == nil || status.State.Running == nil:
			return []Violation{violation(at, last, "is removed as "+DescribePod(last))}
		default:
			return nil
		}
	}}
}

// removal returns the last state of a Pod, when it was seen, and whether it is
// the one with which the Pod was removed.
func removal(h *history.History, pod *corev1.Pod) (at time.Time, last *corev1.Pod, removed bool) {
	at, last = lastState(h, pod)
	for _, change := range h.Lives(pod.UID) {
		removed = removed || change.Type == watch.Deleted
	}
	return at, last, removed
}

// runningIn names a container that a Pod reports as running.
func runningIn(pod *corev1.Pod) string {
	for _, status := range slices.Concat(pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses) {
		if status.State.Running != nil {
			return status.Name
		}
	}
	return ""
}
