package audit

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"rollcall.dev/rollcall/framework/judge"
)

// Issues are the findings. Each list names nodes or Pods, and an audit without
// any means just this: every node of the roster is the machine that the roster
// names, is Ready, and has exactly one Pod of the DaemonSet, which is running,
// Ready and not asked to go; and the DaemonSet has no other Pod.
type Issues struct {
	// NodeIdentityMismatch are nodes of the roster that are gone or are another
	// machine by now.
	NodeIdentityMismatch []string `json:"node_identity_mismatch"`
	// NodeNotReady are nodes of the roster that are there and not Ready.
	NodeNotReady []string `json:"node_not_ready"`
	// MissingReady are nodes of the roster without a Ready Pod.
	MissingReady []string `json:"missing_ready"`
	// UnexpectedOwnedNodes are nodes off the roster with a Pod.
	UnexpectedOwnedNodes []string `json:"unexpected_owned_nodes"`
	// MultiplePods are nodes with more than one Pod, whatever their state.
	MultiplePods []string `json:"multiple_pods"`
	// Unassigned are Pods without a node, by UID.
	Unassigned []types.UID `json:"unassigned"`
	// UnreadyPods are Pods that are not Ready, by UID.
	UnreadyPods []types.UID `json:"unready_pods"`
}

// None reports whether nothing was found.
func (i Issues) None() bool {
	return len(i.NodeIdentityMismatch)+len(i.NodeNotReady)+len(i.MissingReady)+len(i.UnexpectedOwnedNodes)+
		len(i.MultiplePods)+len(i.Unassigned)+len(i.UnreadyPods) == 0
}

func findIssues(roster Roster, nodes map[string]*corev1.Node, pods []Pod) Issues {
	on, covered := map[string]int{}, map[string]bool{}
	issues := Issues{Unassigned: []types.UID{}, UnreadyPods: []types.UID{}}
	for _, pod := range pods {
		if pod.Node == "" {
			issues.Unassigned = append(issues.Unassigned, pod.UID)
		} else {
			on[pod.Node]++
			covered[pod.Node] = covered[pod.Node] || pod.Ready
		}
		if !pod.Ready {
			issues.UnreadyPods = append(issues.UnreadyPods, pod.UID)
		}
	}
	meant, held := slices.Sorted(maps.Keys(roster)), slices.Sorted(maps.Keys(on))
	issues.NodeIdentityMismatch = which(meant, func(n string) bool { return nodes[n] == nil || nodes[n].UID != roster[n] })
	issues.NodeNotReady = which(meant, func(n string) bool { return nodes[n] != nil && !judge.NodeReady(nodes[n]) })
	issues.MissingReady = which(meant, func(n string) bool { return !covered[n] })
	issues.UnexpectedOwnedNodes = which(held, func(n string) bool { return !roster.has(n) })
	issues.MultiplePods = which(held, func(n string) bool { return on[n] > 1 })
	return issues
}

// which returns the names that hold, and an empty list, not nil, if none does.
func which(names []string, holds func(string) bool) []string {
	found := []string{}
	for _, name := range names {
		if holds(name) {
			found = append(found, name)
		}
	}
	return found
}
