package judge

import (
	"fmt"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"rollcall.dev/rollcall/framework/history"
)

// Nodes is a set of node names, sorted.
type Nodes []string

// EligibleNodes returns those of a set of nodes that a DaemonSet belongs on.
func EligibleNodes(daemonSet *appsv1.DaemonSet, nodes []*corev1.Node) Nodes {
	var names Nodes
	for _, node := range nodes {
		if ok, _ := Eligible(daemonSet.Spec.Template.Spec, node); ok {
			names = append(names, node.Name)
		}
	}
	slices.Sort(names)
	return names
}

// String lists the names.
func (n Nodes) String() string {
	if len(n) == 0 {
		return "no node"
	}
	return strings.Join(n, ", ")
}

// PodOnEach is the condition that a DaemonSet has exactly one Pod that is
// neither finished nor terminating for each of the nodes, bound or not, and
// none elsewhere.
func PodOnEach(daemonSet types.UID, nodes Nodes) Condition {
	return Condition{
		Claim: fmt.Sprintf("one Pod for each of %s and nowhere else", nodes),
		Lacks: func(state *history.State) string { return lacksOneEach(state, daemonSet, nodes, Live) },
	}
}

// ReadyOnEach is the condition that a DaemonSet has exactly one Ready Pod on
// each of the nodes, and no other Pod that is not finished or terminating.
func ReadyOnEach(daemonSet types.UID, nodes Nodes) Condition {
	placed := PodOnEach(daemonSet, nodes)
	return Condition{
		Claim: fmt.Sprintf("one Ready Pod on each of %s and no Pod elsewhere", nodes),
		Lacks: func(state *history.State) string {
			if lacks := placed.Lacks(state); lacks != "" {
				return lacks
			}
			return lacksOneEach(state, daemonSet, nodes, Ready)
		},
	}
}

func lacksOneEach(state *history.State, daemonSet types.UID, nodes Nodes, counts func(*corev1.Pod) bool) string {
	have := map[string]int{}
	seen := map[string]string{}
	for _, pod := range state.PodsOf(daemonSet) {
		node := TargetNode(pod)
		seen[node] = DescribePod(pod)
		if counts(pod) {
			have[node]++
		}
	}
	var lacks []string
	for _, node := range nodes {
		if have[node] != 1 {
			lacks = append(lacks, fmt.Sprintf("%s has %d (%s)", node, have[node], or(seen[node], "no Pod at all")))
		}
		delete(have, node)
	}
	for node, n := range have {
		lacks = append(lacks, fmt.Sprintf("%s has %d and should have none", or(node, "an unbound Pod's node"), n))
	}
	slices.Sort(lacks)
	return strings.Join(lacks, "; ")
}

// AtMostOneLive is the claim that no node ever has two Pods of a DaemonSet
// that are neither finished nor terminating, as is promised without maxSurge.
func AtMostOneLive(daemonSet types.UID) Judge {
	return Always(Condition{
		Claim: "no node has two live Pods of the DaemonSet",
		Lacks: func(state *history.State) string {
			live := map[string][]string{}
			for _, pod := range state.PodsOf(daemonSet) {
				if node := TargetNode(pod); Live(pod) && node != "" {
					live[node] = append(live[node], pod.Name)
				}
			}
			for node, pods := range live {
				if len(pods) > 1 {
					return fmt.Sprintf("node %s has the Pods %s", node, strings.Join(pods, " and "))
				}
			}
			return ""
		},
	})
}

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
			return fmt.Sprintf("desired %d, current %d, ready %d, available %d, unavailable %d, updated %d, misscheduled %d",
				s.DesiredNumberScheduled, s.CurrentNumberScheduled, s.NumberReady, s.NumberAvailable, s.NumberUnavailable, s.UpdatedNumberScheduled, s.NumberMisscheduled)
		},
	}
}

// Complete is the condition that every counter of a DaemonSet's status says
// that n nodes are covered by the newest template.
func Complete(name string, n int) Condition {
	want := int32(n)
	return Observed(name, fmt.Sprintf("all %d nodes scheduled, ready, available and updated", n), func(s appsv1.DaemonSetStatus) bool {
		return s.DesiredNumberScheduled == want && s.CurrentNumberScheduled == want && s.NumberReady == want &&
			s.NumberAvailable == want && s.UpdatedNumberScheduled == want && s.NumberUnavailable == 0 && s.NumberMisscheduled == 0
	})
}
