package judge

import (
	"fmt"

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
