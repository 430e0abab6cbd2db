package judge

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"rollcall.dev/rollcall/framework/history"
)

// Chronicle tells, a container a line, when the containers of a Pod last
// started and ended, by its node's clock, as the Pod last reported it. It is
// evidence, not judgement.
func Chronicle(h *history.History, pod *corev1.Pod) []string {
	_, last := lastState(h, pod)
	var lines []string
	for _, status := range slices.Concat(last.Status.InitContainerStatuses, last.Status.ContainerStatuses) {
		lines = append(lines, fmt.Sprintf("%s on %s: %s%s", pod.Name, or(last.Spec.NodeName, "no node"), DescribeContainer(status), times(status.State)))
	}
	return lines
}

func times(state corev1.ContainerState) string {
	switch {
	case state.Running != nil:
		return ", since " + state.Running.StartedAt.UTC().Format(time.TimeOnly)
	case state.Terminated != nil && !state.Terminated.StartedAt.IsZero():
		return fmt.Sprintf(", %s to %s", state.Terminated.StartedAt.UTC().Format(time.TimeOnly), state.Terminated.FinishedAt.UTC().Format(time.TimeOnly))
	default:
		return ""
	}
}
