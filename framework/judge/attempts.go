package judge

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"rollcall.dev/rollcall/framework/history"
)

// Attempts is the claim that a container is started exactly once for each of
// the codes, that its attempts end with them in this order, and that the last
// one stays the last. An attempt that ends and is followed by the next within
// a moment may never be reported; one that is reported must be as claimed.
func Attempts(pod *corev1.Pod, container string, codes ...int32) Judge {
	claim := fmt.Sprintf("container %s ends with %s, an attempt each, and is not started again", container, strings.Trim(fmt.Sprint(codes), "[]"))
	return Judge{Claim: "of Pod " + pod.Name + ", " + claim, Find: func(h *history.History) []Violation {
		violations := throughout(pod, claim, func(now *corev1.Pod) string { return strayAttempt(now, container, codes) }).Find(h)
		at, last := lastState(h, pod)
		if status := StatusOf(last, container); status != nil {
			if _, ended := endings(*status)[len(codes)-1]; ended {
				return violations
			}
		}
		return append(violations, violation(at, last, fmt.Sprintf("does not report the end of attempt %d of %s", len(codes), container)))
	}}
}

// EachAttemptEndsWith is the claim that every reported end of a container has
// the same code.
func EachAttemptEndsWith(pod *corev1.Pod, container string, code int32) Judge {
	return throughout(pod, fmt.Sprintf("each attempt of container %s ends with %d", container, code), func(now *corev1.Pod) string {
		status := StatusOf(now, container)
		if status == nil {
			return ""
		}
		for attempt, ended := range endings(*status) {
			if ended != code {
				return fmt.Sprintf("reports %d of attempt %d of %s", ended, attempt+1, container)
			}
		}
		return ""
	})
}

// strayAttempt says how what a Pod reports of a container's attempts departs
// from the claimed codes.
func strayAttempt(pod *corev1.Pod, container string, codes []int32) string {
	status := StatusOf(pod, container)
	if status == nil {
		return ""
	}
	if int(status.RestartCount) >= len(codes) {
		return fmt.Sprintf("has started %s %d times", container, status.RestartCount+1)
	}
	for attempt, code := range endings(*status) {
		if code != codes[attempt] {
			return fmt.Sprintf("reports %d, not %d, of attempt %d of %s", code, codes[attempt], attempt+1, container)
		}
	}
	return ""
}

// endings returns the exit codes that a status tells of, by attempt; the first
// attempt is 0. RestartCount is that of the newest container, which in back-off
// is the one that ended last and otherwise the one after it.
func endings(status corev1.ContainerStatus) map[int]int32 {
	codes := map[int]int32{}
	newest := int(status.RestartCount)
	if ended := status.State.Terminated; ended != nil {
		codes[newest] = ended.ExitCode
	}
	if ended := status.LastTerminationState.Terminated; ended != nil {
		attempt := lastAttempt(status)
		if attempt >= 0 {
			codes[attempt] = ended.ExitCode
		}
	}
	return codes
}

// lastAttempt returns which attempt LastTerminationState is about; the first is 0
// and -1 is none.
func lastAttempt(status corev1.ContainerStatus) int {
	ended := status.LastTerminationState.Terminated
	if ended != nil && status.State.Terminated == nil && ended.ContainerID == status.ContainerID {
		return int(status.RestartCount)
	}
	return int(status.RestartCount) - 1
}
