package judge

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"

	"rollcall.dev/rollcall/framework/history"
)

// Observed is the condition that a DaemonSet's status describes its newest
// spec and satisfies holds. A status that was written for an older spec says
// nothing, so every reading of a status goes through here.
func Observed(name, claim string, holds func(appsv1.DaemonSetStatus) bool) Condition {
	return Condition{
		Claim: "DaemonSet " + name + " reports " + claim,
		Lacks: func(state *history.State) string {
			daemonSet := state.DaemonSet(name)
			if daemonSet == nil {
				return "there is no such DaemonSet"
			}
			s := daemonSet.Status
			if s.ObservedGeneration < daemonSet.Generation {
				return fmt.Sprintf("its status is still that of generation %d, not %d", s.ObservedGeneration, daemonSet.Generation)
			}
			if holds(s) {
				return ""
			}
			return DescribeStatus(s)
		},
	}
}

// Complete is the condition that every counter of a DaemonSet's status says
// that the eligible nodes are covered by the newest template.
func Complete(name string, nodes Nodes) Condition {
	claim := fmt.Sprintf("%d nodes, all scheduled, ready, available and updated", nodes.Len())
	return Observed(name, claim, func(s appsv1.DaemonSetStatus) bool {
		return nodes.All(s.DesiredNumberScheduled) && nodes.All(s.CurrentNumberScheduled) && nodes.All(s.NumberReady) &&
			nodes.All(s.NumberAvailable) && nodes.All(s.UpdatedNumberScheduled) &&
			nodes.None(s.NumberUnavailable) && nodes.None(s.NumberMisscheduled)
	})
}

// Uncovered is the condition that a DaemonSet's status counts every eligible
// node as one that has its Pod and that no such Pod is ready.
func Uncovered(name string, nodes Nodes) Condition {
	claim := fmt.Sprintf("%d nodes, all scheduled and none ready", nodes.Len())
	return Observed(name, claim, func(s appsv1.DaemonSetStatus) bool {
		return nodes.All(s.DesiredNumberScheduled) && nodes.All(s.CurrentNumberScheduled) && nodes.All(s.NumberUnavailable) &&
			nodes.None(s.NumberReady) && nodes.None(s.NumberAvailable) && nodes.None(s.NumberMisscheduled)
	})
}

// DescribeStatus lists a DaemonSet's counters.
func DescribeStatus(s appsv1.DaemonSetStatus) string {
	return fmt.Sprintf("desired %d, current %d, ready %d, available %d, unavailable %d, updated %d, misscheduled %d",
		s.DesiredNumberScheduled, s.CurrentNumberScheduled, s.NumberReady, s.NumberAvailable, s.NumberUnavailable,
		s.UpdatedNumberScheduled, s.NumberMisscheduled)
}
