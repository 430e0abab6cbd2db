package judge

import (
	"iter"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"rollcall.dev/rollcall/framework/history"
)

// A Fault says what is wrong with a Pod; it is empty if nothing is.
type Fault func(*corev1.Pod) string

// EveryPod is the claim that no Pod of a DaemonSet ever has the fault. A
// history without such a Pod proves nothing and so breaks the claim.
func EveryPod(daemonSet types.UID, claim string, fault Fault) Judge {
	return Judge{Claim: "every Pod of the DaemonSet " + claim, Find: func(h *history.History) []Violation {
		return faults(h, podChanges(h, daemonSet), fault)
	}}
}

// FirstSeen is EveryPod for the moment at which each Pod was created.
func FirstSeen(daemonSet types.UID, claim string, fault Fault) Judge {
	return Judge{Claim: "every Pod of the DaemonSet, when it is created, " + claim, Find: func(h *history.History) []Violation {
		return faults(h, births(podChanges(h, daemonSet)), fault)
	}}
}

func faults(h *history.History, pods iter.Seq2[history.Change, *corev1.Pod], fault Fault) []Violation {
	var violations []Violation
	seen := false
	for change, pod := range pods {
		seen = true
		if wrong := fault(pod); wrong != "" {
			violations = append(violations, Violation{At: change.At, Node: TargetNode(pod), Pod: pod.Name, Message: wrong})
		}
	}
	if !seen {
		violations = append(violations, Violation{At: h.Latest().At, Message: "no such Pod was ever seen"})
	}
	return violations
}

// podChanges yields each change of a Pod that a DaemonSet controls, oldest
// first.
func podChanges(h *history.History, daemonSet types.UID) iter.Seq2[history.Change, *corev1.Pod] {
	return func(yield func(history.Change, *corev1.Pod) bool) {
		for _, change := range h.Changes() {
			pod, ok := change.Object.(*corev1.Pod)
			if ok && controlledBy(pod, daemonSet) && !yield(change, pod) {
				return
			}
		}
	}
}

// births leaves only the first change of each Pod.
func births(pods iter.Seq2[history.Change, *corev1.Pod]) iter.Seq2[history.Change, *corev1.Pod] {
	return func(yield func(history.Change, *corev1.Pod) bool) {
		known := map[types.UID]bool{}
		for change, pod := range pods {
			if !known[pod.UID] && !yield(change, pod) {
				return
			}
			known[pod.UID] = true
		}
	}
}

// EachPod is the condition that a DaemonSet has live Pods and none of them has
// the fault.
func EachPod(daemonSet types.UID, claim string, fault Fault) Condition {
	return Condition{Claim: "each Pod of the DaemonSet " + claim, Lacks: func(state *history.State) string {
		live := 0
		for _, pod := range state.PodsOf(daemonSet) {
			if !Live(pod) {
				continue
			}
			live++
			if wrong := fault(pod); wrong != "" {
				return "Pod " + pod.Name + " " + wrong
			}
		}
		if live == 0 {
			return "it has no live Pod"
		}
		return ""
	}}
}
