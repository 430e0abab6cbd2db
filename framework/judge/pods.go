package judge

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Terminating reports whether a Pod has been asked to go.
func Terminating(pod *corev1.Pod) bool { return pod.DeletionTimestamp != nil }

// Finished reports whether a Pod's containers have ended for good.
func Finished(pod *corev1.Pod) bool {
	return pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
}

// Live reports whether a Pod is neither finished nor terminating.
func Live(pod *corev1.Pod) bool { return !Terminating(pod) && !Finished(pod) }

// Ready reports whether a Pod is live and says that it is Ready.
func Ready(pod *corev1.Pod) bool {
	condition := PodCondition(pod, corev1.PodReady)
	return Live(pod) && condition != nil && condition.Status == corev1.ConditionTrue
}

// Available reports whether a Pod has been Ready for at least minReady at an
// instant. As the API documents, that is counted from the condition's last
// transition, by the clock of the node that wrote it.
func Available(pod *corev1.Pod, minReady time.Duration, at time.Time) bool {
	if !Ready(pod) {
		return false
	}
	since := PodCondition(pod, corev1.PodReady).LastTransitionTime
	return minReady == 0 || !since.Add(minReady).After(at)
}

// PodCondition returns a Pod's condition of a type, or nil.
func PodCondition(pod *corev1.Pod, kind corev1.PodConditionType) *corev1.PodCondition {
	for i := range pod.Status.Conditions {
		if pod.Status.Conditions[i].Type == kind {
			return &pod.Status.Conditions[i]
		}
	}
	return nil
}

// NodeReady reports whether a node says that it is Ready.
func NodeReady(node *corev1.Node) bool {
	ready := NodeCondition(node, corev1.NodeReady)
	return ready != nil && ready.Status == corev1.ConditionTrue
}

// NodeReadySince reports whether a node has said since an instant, by its own clock,
// that it is Ready.
func NodeReadySince(node *corev1.Node, since time.Time) bool {
	return NodeReady(node) && !NodeCondition(node, corev1.NodeReady).LastHeartbeatTime.Time.Before(since)
}

// NodeCondition returns a node's condition of a type, or nil.
func NodeCondition(node *corev1.Node, kind corev1.NodeConditionType) *corev1.NodeCondition {
	for i := range node.Status.Conditions {
		if node.Status.Conditions[i].Type == kind {
			return &node.Status.Conditions[i]
		}
	}
	return nil
}

// Unschedulable reports whether the scheduler has found no node for a Pod.
func Unschedulable(pod *corev1.Pod) bool {
	condition := PodCondition(pod, corev1.PodScheduled)
	return condition != nil && condition.Status == corev1.ConditionFalse && condition.Reason == corev1.PodReasonUnschedulable
}

// TargetNode returns the node that a Pod is on or, for a DaemonSet's Pod that
// is not bound yet, the one that its affinity names.
func TargetNode(pod *corev1.Pod) string {
	if pod.Spec.NodeName != "" {
		return pod.Spec.NodeName
	}
	affinity := pod.Spec.Affinity
	if affinity == nil || affinity.NodeAffinity == nil || affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution == nil {
		return ""
	}
	for _, term := range affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms {
		for _, field := range term.MatchFields {
			if field.Key == metav1.ObjectNameField && field.Operator == corev1.NodeSelectorOpIn && len(field.Values) == 1 {
				return field.Values[0]
			}
		}
	}
	return ""
}

// DescribePod tells a Pod's state in a few words: what an operator would look
// for first.
func DescribePod(pod *corev1.Pod) string {
	words := []string{string(pod.Status.Phase)}
	if Terminating(pod) {
		words = append(words, "terminating")
	}
	if pod.Status.Reason != "" {
		words = append(words, pod.Status.Reason)
	}
	if scheduled := PodCondition(pod, corev1.PodScheduled); scheduled != nil && scheduled.Status == corev1.ConditionFalse {
		words = append(words, scheduled.Reason+": "+scheduled.Message)
	}
	for _, status := range slices.Concat(pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses) {
		words = append(words, DescribeContainer(status))
	}
	if Ready(pod) {
		words = append(words, "Ready")
	}
	return strings.Join(words, ", ")
}

// DescribeContainer tells a container's state in a few words.
func DescribeContainer(status corev1.ContainerStatus) string {
	state := "unknown"
	switch {
	case status.State.Running != nil:
		state = "running"
	case status.State.Terminated != nil:
		state = fmt.Sprintf("ended with %d", status.State.Terminated.ExitCode)
	case status.State.Waiting != nil:
		state = "waiting (" + status.State.Waiting.Reason + ")"
	}
	if status.RestartCount > 0 {
		state += fmt.Sprintf(", %d restarts", status.RestartCount)
	}
	return status.Name + " " + state
}
