package judge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"rollcall.dev/rollcall/framework/history"
)

// PodOnEach is the condition that a DaemonSet has exactly one Pod that is
// neither finished nor terminating for each eligible node, bound or not, and
// none for another node of the roster.
func PodOnEach(daemonSet types.UID, nodes Nodes) Condition {
	return Condition{
		Claim: fmt.Sprintf("one Pod for each of %s and nowhere else", nodes),
		Lacks: func(state *history.State) string { return lacksOneEach(state, daemonSet, nodes, Live) },
	}
}

// ReadyOnEach is the condition that a DaemonSet has exactly one Ready Pod on
// each eligible node, and no other Pod that is not finished or terminating.
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
	have, seen := map[string]int{}, map[string]string{}
	for _, pod := range state.PodsOf(daemonSet) {
		node := TargetNode(pod)
		seen[node] = DescribePod(pod)
		if counts(pod) {
			have[node]++
		}
	}
	var lacks []string
	for _, node := range nodes.Eligible {
		if have[node] != 1 {
			lacks = append(lacks, fmt.Sprintf("%s has %d (%s)", node, have[node], cmp.Or(seen[node], "no Pod at all")))
		}
		if replaced := nodes.replaced(state, node); replaced != "" {
			lacks = append(lacks, node+": "+replaced)
		}
	}
	for node, why := range nodes.Barred {
		if have[node] > 0 {
			lacks = append(lacks, fmt.Sprintf("%s has %d and should have none: %s", node, have[node], why))
		}
	}
	if have[""] > 0 {
		lacks = append(lacks, fmt.Sprintf("%d are meant for no node", have[""]))
	}
	slices.Sort(lacks)
	return strings.Join(lacks, "; ")
}

// NeverElsewhere is the claim that a DaemonSet never has a Pod for a node of
// the roster on which it does not belong.
func NeverElsewhere(daemonSet types.UID, nodes Nodes) Judge {
	return Always(NoneElsewhere(daemonSet, nodes))
}

// NoneElsewhere is the condition that a DaemonSet has no Pod for a node of the
// roster on which it does not belong.
func NoneElsewhere(daemonSet types.UID, nodes Nodes) Condition {
	return Condition{
		Claim: fmt.Sprintf("no Pod but for %s", nodes),
		Lacks: func(state *history.State) string {
			for _, pod := range state.PodsOf(daemonSet) {
				if why, barred := nodes.Barred[TargetNode(pod)]; barred {
					return fmt.Sprintf("Pod %s is for node %s, where it does not belong: %s", pod.Name, TargetNode(pod), why)
				}
			}
			return ""
		},
	}
}

// AtMostOneLive is the claim that no node ever has two Pods of a DaemonSet
// that are neither finished nor terminating, as is promised without maxSurge.
func AtMostOneLive(daemonSet types.UID) Judge { return Always(OneLive(daemonSet)) }

// OneLive is the condition that no node has two Pods of a DaemonSet that are
// neither finished nor terminating.
func OneLive(daemonSet types.UID) Condition { return atMostOne(daemonSet, "live Pods", Live) }

// AtMostOneUnfinished is the claim that no node ever has two Pods of a DaemonSet
// whose containers have not ended, so that each one had really stopped before
// its successor was made. Its object may outlast it for a moment.
func AtMostOneUnfinished(daemonSet types.UID) Judge {
	return Always(atMostOne(daemonSet, "unfinished Pods", func(pod *corev1.Pod) bool { return !Finished(pod) }))
}

func atMostOne(daemonSet types.UID, what string, counts func(*corev1.Pod) bool) Condition {
	return Condition{
		Claim: "no node has two " + what + " of the DaemonSet",
		Lacks: func(state *history.State) string {
			first := map[string]string{}
			for _, pod := range state.PodsOf(daemonSet) {
				node := TargetNode(pod)
				if !counts(pod) || node == "" {
					continue
				}
				if other := first[node]; other != "" {
					return fmt.Sprintf("node %s has the Pods %s and %s", node, other, pod.Name)
				}
				first[node] = pod.Name
			}
			return ""
		},
	}
}
