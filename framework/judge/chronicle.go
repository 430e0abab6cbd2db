package judge

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"rollcall.dev/rollcall/framework/history"
)

// Chronicle tells, a container a line, what the containers of a Pod last did,
// when by its node's clock, and what they left in their termination messages,
// as the Pod last reported it. It is evidence, not judgement.
func Chronicle(h *history.History, pod *corev1.Pod) []string {
	_, last := lastState(h, pod)
	var lines []string
	for _, status := range slices.Concat(last.Status.InitContainerStatuses, last.Status.ContainerStatuses) {
		line := fmt.Sprintf("%s on %s: %s", pod.Name, cmp.Or(last.Spec.NodeName, "no node"), DescribeContainer(status))
		lines = append(lines, line+period(status)+lastWords(status))
	}
	return lines
}

func period(status corev1.ContainerStatus) string {
	switch ended := cmp.Or(status.State.Terminated, status.LastTerminationState.Terminated); {
	case status.State.Running != nil:
		return ", since " + timeOfDay(status.State.Running.StartedAt)
	case ended == nil || ended.StartedAt.IsZero():
		return ""
	case status.State.Terminated == nil:
		return fmt.Sprintf(", ended with %d before, %s to %s", ended.ExitCode, timeOfDay(ended.StartedAt), timeOfDay(ended.FinishedAt))
	default:
		return fmt.Sprintf(", %s to %s", timeOfDay(ended.StartedAt), timeOfDay(ended.FinishedAt))
	}
}

func lastWords(status corev1.ContainerStatus) string {
	ended := status.State.Terminated
	if ended == nil || ended.Message == "" {
		return ""
	}
	return fmt.Sprintf(", says %q", oneLine(ended.Message))
}

func timeOfDay(t metav1.Time) string { return t.UTC().Format(time.TimeOnly) }
