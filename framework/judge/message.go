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

// EndExplained is the claim that a Pod tells of a container's end a reason and
// when the container started and ended. The start may be the later of the two:
// containerd notes it once its call to start has returned, and a container that
// lives for milliseconds has ended by then.
func EndExplained(pod *corev1.Pod, container string) Judge {
	claim := fmt.Sprintf("Pod %s tells why container %s ended, and when it started and ended", pod.Name, container)
	return Judge{Claim: claim, Find: func(h *history.History) []Violation {
		at, last := lastState(h, pod)
		status := StatusOf(last, container)
		if status == nil || status.State.Terminated == nil {
			return []Violation{violation(at, last, "does not report the end of "+container)}
		}
		ended := status.State.Terminated
		if ended.Reason == "" || ended.StartedAt.IsZero() || ended.FinishedAt.IsZero() {
			return []Violation{violation(at, last, fmt.Sprintf("gives the reason %q, the start %s and the end %s", ended.Reason, timeOfDay(ended.StartedAt), timeOfDay(ended.FinishedAt)))}
		}
		return nil
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
