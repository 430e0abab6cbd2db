package judge

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"rollcall.dev/rollcall/framework/history"
)

// Reported is the claim that a container ended with just these lines in its
// termination message.
func Reported(pod *corev1.Pod, container string, lines ...string) Judge {
	want := strings.Join(lines, ", ")
	claim := fmt.Sprintf("container %s leaves the message %q", container, want)
	return Judge{Claim: "of Pod " + pod.Name + ", " + claim, Find: func(h *history.History) []Violation {
		seen := "no message"
		for _, now := range statesOf(h, pod) {
			switch message, ended := Message(now, container); {
			case ended && message == want:
				return nil
			case ended:
				seen = fmt.Sprintf("the message %q", message)
			}
		}
		at, last := lastState(h, pod)
		return []Violation{violation(at, last, fmt.Sprintf("leaves %s by %s, not %q", seen, container, want))}
	}}
}

// EndedBecause is the claim that a container's last end is reported with a
// reason.
func EndedBecause(pod *corev1.Pod, container, reason string) Judge {
	claim := fmt.Sprintf("of Pod %s, container %s ended for the reason %s", pod.Name, container, reason)
	return Judge{Claim: claim, Find: func(h *history.History) []Violation {
		at, last := lastState(h, pod)
		status := StatusOf(last, container)
		switch {
		case status == nil || status.State.Terminated == nil:
			return []Violation{violation(at, last, "does not report the end of "+container)}
		case status.State.Terminated.Reason != reason:
			return []Violation{violation(at, last, fmt.Sprintf("reports the reason %s, not %s", status.State.Terminated.Reason, reason))}
		default:
			return nil
		}
	}}
}

// Message returns what a container left in its termination log when it last
// ended, its lines joined by commas, and whether it has ended.
func Message(pod *corev1.Pod, container string) (text string, ended bool) {
	status := StatusOf(pod, container)
	if status == nil {
		return "", false
	}
	for _, state := range []corev1.ContainerState{status.State, status.LastTerminationState} {
		if state.Terminated != nil {
			return oneLine(state.Terminated.Message), true
		}
	}
	return "", false
}

func oneLine(message string) string {
	return strings.ReplaceAll(strings.TrimSpace(message), "\n", ", ")
}
