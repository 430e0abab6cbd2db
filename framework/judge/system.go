package judge

import (
	"fmt"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/types"

	"rollcall.dev/rollcall/framework/history"
)

// AllCovered is the condition that every DaemonSet has a Ready Pod on each node
// of the roster on which it belongs. Of somebody else's DaemonSet nothing more
// can be asked: it may be in the middle of a surge, or have left Pods on nodes
// that were tainted since.
func AllCovered(roster map[string]types.UID) Condition {
	return Condition{Claim: "every DaemonSet has a Ready Pod on each node that it belongs on", Lacks: func(state *history.State) string {
		var lacks []string
		for _, daemonSet := range history.Objects[*appsv1.DaemonSet](state, history.DaemonSet) {
			if uncovered := uncoveredBy(state, daemonSet, roster); len(uncovered) > 0 && daemonSet.DeletionTimestamp == nil {
				lacks = append(lacks, fmt.Sprintf("DaemonSet %s has none on %s", daemonSet.Name, strings.Join(uncovered, ", ")))
			}
		}
		return strings.Join(lacks, "; ")
	}}
}

// uncoveredBy returns the nodes without a Ready Pod, each with what it is.
func uncoveredBy(state *history.State, daemonSet *appsv1.DaemonSet, roster map[string]types.UID) []string {
	covered := map[string]bool{}
	for _, pod := range state.PodsOf(daemonSet.UID) {
		covered[TargetNode(pod)] = covered[TargetNode(pod)] || Ready(pod)
	}
	nodes := slices.Clone(EligibleNodes(daemonSet, state.Nodes(), roster).Eligible)
	uncovered := slices.DeleteFunc(nodes, func(node string) bool { return covered[node] })
	for i, name := range uncovered {
		uncovered[i] = fmt.Sprintf("%s (%s)", name, DescribeNode(state.Node(name)))
	}
	return uncovered
}
