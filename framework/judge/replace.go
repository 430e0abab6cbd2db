package judge

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	"rollcall.dev/rollcall/framework/history"
)

// NoneLeavesBut is the claim that no Pod of a DaemonSet is deleted, or asked to
// go, other than these.
func NoneLeavesBut(daemonSet types.UID, pods ...types.UID) Judge {
	expected := map[types.UID]bool{}
	for _, uid := range pods {
		expected[uid] = true
	}
	return Judge{
		Claim: fmt.Sprintf("no Pod of the DaemonSet goes but the %d that should", len(pods)),
		Find: func(h *history.History) []Violation {
			var violations []Violation
			for change, pod := range podChanges(h, daemonSet) {
				if leaves := change.Type == watch.Deleted || Terminating(pod); leaves && !expected[pod.UID] {
					violations = append(violations, Violation{At: change.At, Node: TargetNode(pod), Pod: pod.Name, Message: "goes, and nobody asked for it"})
				}
			}
			return violations
		},
	}
}

// Undisturbed is the claim that a Pod is neither deleted nor asked to go.
func Undisturbed(pod *corev1.Pod) Judge {
	return Judge{Claim: "Pod " + pod.Name + " stays", Find: func(h *history.History) []Violation {
		var violations []Violation
		for _, change := range h.Lives(pod.UID) {
			if now, ok := change.Object.(*corev1.Pod); ok && (change.Type == watch.Deleted || Terminating(now)) {
				violations = append(violations, violation(change.At, now, "goes, and nobody asked for it"))
			}
		}
		return violations
	}}
}

// ReplacesFailed is the claim that a DaemonSet had a Pod that failed, deleted it
// and then made another one for the same node.
func ReplacesFailed(daemonSet types.UID) Judge {
	return Judge{Claim: "a Pod that failed is deleted and another one made for its node", Find: func(h *history.History) []Violation {
		failed, deleted := map[types.UID]bool{}, map[string]bool{}
		for change, pod := range podChanges(h, daemonSet) {
			switch node := TargetNode(pod); {
			case change.Type == watch.Deleted && failed[pod.UID]:
				deleted[node] = true
			case pod.Status.Phase == corev1.PodFailed:
				failed[pod.UID] = true
			case change.Type == watch.Added && deleted[node]:
				return nil
			}
		}
		return []Violation{{At: h.Latest().At, Message: fmt.Sprintf("%d Pods failed; on %d nodes one was deleted, on none another one followed", len(failed), len(deleted))}}
	}}
}
