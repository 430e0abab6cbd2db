package judge

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/types"

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

// tally reads one counter of a status against the nodes of the roster: does it
// count all eligible ones, or none? Foreign nodes may be counted too.
type tally struct{ eligible, foreign int }

func (t tally) all(counter int32) bool {
	return int(counter) >= t.eligible && int(counter) <= t.eligible+t.foreign
}

func (t tally) none(counter int32) bool { return int(counter) <= t.foreign }

// counting is Observed with a tally of the nodes as they are at that instant.
func counting(name, claim string, nodes Nodes, holds func(appsv1.DaemonSetStatus, tally) bool) Condition {
	at := func(state *history.State) Condition {
		return Observed(name, fmt.Sprintf("%d nodes, %s", nodes.Len(), claim), func(s appsv1.DaemonSetStatus) bool {
			return holds(s, tally{nodes.Len(), nodes.counted(state, state.DaemonSet(name))})
		})
	}
	return Condition{Claim: at(nil).Claim, Lacks: func(state *history.State) string { return at(state).Lacks(state) }}
}

// Complete is the condition that every counter of a DaemonSet's status says
// that the eligible nodes are covered by the newest template.
func Complete(name string, nodes Nodes) Condition {
	return counting(name, "all scheduled, ready, available and updated", nodes, func(s appsv1.DaemonSetStatus, t tally) bool {
		return t.all(s.DesiredNumberScheduled) && t.all(s.CurrentNumberScheduled) && t.all(s.NumberReady) &&
			t.all(s.NumberAvailable) && t.all(s.UpdatedNumberScheduled) &&
			t.none(s.NumberUnavailable) && t.none(s.NumberMisscheduled)
	})
}

// Scheduled is the condition that a DaemonSet's status counts every eligible
// node as one that should have a Pod and has one, ready or not.
func Scheduled(name string, nodes Nodes) Condition {
	return counting(name, "all with a Pod", nodes, func(s appsv1.DaemonSetStatus, t tally) bool {
		return t.all(s.DesiredNumberScheduled) && t.all(s.CurrentNumberScheduled) && t.none(s.NumberMisscheduled)
	})
}

// Unready is the condition that a DaemonSet's status counts a Pod for every
// eligible node and none of them as ready or available.
func Unready(name string, nodes Nodes) Condition {
	return Scheduled(name, nodes).And(counting(name, "none with a ready Pod", nodes, func(s appsv1.DaemonSetStatus, t tally) bool {
		return t.none(s.NumberReady) && t.none(s.NumberAvailable) && t.all(s.NumberUnavailable)
	}))
}

// Unplaced is the condition that a DaemonSet's status misses a Pod on every
// eligible node.
func Unplaced(name string, nodes Nodes) Condition {
	return counting(name, "none with a Pod", nodes, func(s appsv1.DaemonSetStatus, t tally) bool {
		return t.all(s.DesiredNumberScheduled) && t.none(s.CurrentNumberScheduled) && t.all(s.NumberUnavailable)
	})
}

// CountsNodes is the claim that every status of a DaemonSet counts nodes, not
// Pods: no counter exceeds the desired number, and unavailable is what desired
// leaves of available.
func CountsNodes(name string) Judge {
	return Always(Condition{
		Claim: "DaemonSet " + name + " counts each node once",
		Lacks: func(state *history.State) string {
			daemonSet := state.DaemonSet(name)
			if daemonSet == nil || countsOnce(daemonSet.Status) {
				return ""
			}
			return DescribeStatus(daemonSet.Status)
		},
	})
}

func countsOnce(s appsv1.DaemonSetStatus) bool {
	desired := s.DesiredNumberScheduled
	return s.CurrentNumberScheduled <= desired && s.UpdatedNumberScheduled <= desired &&
		s.NumberReady <= desired && s.NumberAvailable <= s.NumberReady && s.NumberUnavailable == desired-s.NumberAvailable
}

// ObservedFollows is the claim that a DaemonSet's observed generation only
// grows and never runs ahead of its spec.
func ObservedFollows(daemonSet types.UID) Judge {
	return Judge{Claim: "observedGeneration follows generation", Find: func(h *history.History) []Violation {
		var violations []Violation
		last := int64(0)
		for _, change := range h.Lives(daemonSet) {
			d, ok := change.Object.(*appsv1.DaemonSet)
			if !ok {
				continue
			}
			if now := d.Status.ObservedGeneration; now < last || now > d.Generation {
				violations = append(violations, Violation{At: change.At, Message: fmt.Sprintf("observed %d after %d, at generation %d", now, last, d.Generation)})
			}
			last = d.Status.ObservedGeneration
		}
		return violations
	}}
}

// DescribeStatus lists a DaemonSet's counters.
func DescribeStatus(s appsv1.DaemonSetStatus) string {
	return fmt.Sprintf("desired %d, current %d, ready %d, available %d, unavailable %d, updated %d, misscheduled %d",
		s.DesiredNumberScheduled, s.CurrentNumberScheduled, s.NumberReady, s.NumberAvailable, s.NumberUnavailable,
		s.UpdatedNumberScheduled, s.NumberMisscheduled)
}
