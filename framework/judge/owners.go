package judge

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"rollcall.dev/rollcall/framework/history"
)

// OwnersKept is the claim that no Pod ever passes from one owner to another,
// gains one or loses one. It is about these Pods, or about all if none is named.
func OwnersKept(pods ...types.UID) Judge {
	return Judge{Claim: "every Pod keeps its owners", Find: func(h *history.History) []Violation {
		var violations []Violation
		last := map[types.UID]string{}
		for _, change := range h.Changes() {
			pod, ok := change.Object.(*corev1.Pod)
			if !ok || len(pods) > 0 && !slices.Contains(pods, pod.UID) {
				continue
			}
			owners := describeOwners(pod)
			if before, known := last[pod.UID]; known && before != owners {
				violations = append(violations, violation(change.At, pod, fmt.Sprintf("belonged to %s and now to %s", before, owners)))
			}
			last[pod.UID] = owners
		}
		return violations
	}}
}

// Orphaned is the condition that a Pod is live and nothing controls it.
func Orphaned(pod *corev1.Pod) Condition {
	return aboutPod(pod, "is live and has no controller", func(now *corev1.Pod) bool {
		return Live(now) && metav1.GetControllerOfNoCopy(now) == nil
	})
}

// ControlledBy is the condition that an object controls a Pod.
func ControlledBy(pod *corev1.Pod, owner types.UID) Condition {
	return aboutPod(pod, "is controlled by UID "+string(owner), func(now *corev1.Pod) bool { return controlledBy(now, owner) })
}

// Removed is the condition that a DaemonSet is gone.
func Removed(name string, uid types.UID) Condition {
	return Condition{Claim: "DaemonSet " + name + " is gone", Lacks: func(state *history.State) string {
		if d := state.DaemonSet(name); d != nil && d.UID == uid {
			return fmt.Sprintf("it is still there, finalizers %v", d.Finalizers)
		}
		return ""
	}}
}

// Podless is the condition that a DaemonSet has no Pod on any node of the
// roster, terminating ones included.
func Podless(daemonSet types.UID, nodes Nodes) Condition {
	return Condition{Claim: "the DaemonSet has no Pod left", Lacks: func(state *history.State) string {
		for _, pod := range state.PodsOf(daemonSet) {
			if !nodes.foreign(TargetNode(pod)) {
				return fmt.Sprintf("Pod %s on node %s: %s", pod.Name, TargetNode(pod), DescribePod(pod))
			}
		}
		return ""
	}}
}

// PodsByNode returns a DaemonSet's live Pod on each eligible node.
func PodsByNode(state *history.State, daemonSet types.UID, nodes Nodes) map[string]*corev1.Pod {
	pods := map[string]*corev1.Pod{}
	for _, pod := range state.PodsOf(daemonSet) {
		if node := TargetNode(pod); Live(pod) && slices.Contains(nodes.Eligible, node) {
			pods[node] = pod
		}
	}
	return pods
}

// Told is the condition that an Event with a reason was recorded about an
// object.
func Told(uid types.UID, reason string) Condition {
	return Condition{Claim: "an Event " + reason, Lacks: func(state *history.State) string {
		var reasons []string
		for _, event := range state.EventsAbout(uid) {
			if event.Reason == reason {
				return ""
			}
			reasons = append(reasons, event.Reason)
		}
		return fmt.Sprintf("the Events about it are %v", reasons)
	}}
}
