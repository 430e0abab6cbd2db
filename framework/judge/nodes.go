package judge

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"rollcall.dev/rollcall/framework/history"
)

// Nodes divides the nodes of a roster as one DaemonSet ought to see them. Other
// nodes, such as virtual kubelets, may come and go and have Pods of it or not:
// the controller counts them, and no verdict depends on them.
type Nodes struct {
	// Eligible are the nodes of the roster that it belongs on, sorted.
	Eligible []string
	// Barred are the other nodes of the roster, each with the reason.
	Barred map[string]string

	roster map[string]types.UID
}

// EligibleNodes divides a cluster's nodes. The roster says, by name, which of
// them are meant to be covered and which machine each one was at the start.
func EligibleNodes(daemonSet *appsv1.DaemonSet, nodes []*corev1.Node, roster map[string]types.UID) Nodes {
	divided := Nodes{Barred: map[string]string{}, roster: roster}
	for _, node := range nodes {
		switch ok, reason := Eligible(daemonSet.Spec.Template.Spec, node); {
		case divided.foreign(node.Name):
		case ok:
			divided.Eligible = append(divided.Eligible, node.Name)
		default:
			divided.Barred[node.Name] = reason
		}
	}
	slices.Sort(divided.Eligible)
	return divided
}

// Len returns how many nodes the DaemonSet belongs on.
func (n Nodes) Len() int { return len(n.Eligible) }

// String lists the names of the eligible nodes.
func (n Nodes) String() string {
	if n.Len() == 0 {
		return "no node"
	}
	return strings.Join(n.Eligible, ", ")
}

// Excuses lists the nodes of the roster that are not eligible, with reasons.
func (n Nodes) Excuses() []string {
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(n.Barred)) {
		lines = append(lines, fmt.Sprintf("%s: %s", name, n.Barred[name]))
	}
	return lines
}

// foreign reports whether a name is that of a node off the roster.
func (n Nodes) foreign(name string) bool {
	_, meant := n.roster[name]
	return name != "" && !meant
}

// counted returns how many nodes off the roster a DaemonSet's counters may
// include: those that it matches just then.
func (n Nodes) counted(state *history.State, daemonSet *appsv1.DaemonSet) int {
	count := 0
	for _, node := range state.Nodes() {
		if ok, _ := Eligible(daemonSet.Spec.Template.Spec, node); ok && n.foreign(node.Name) {
			count++
		}
	}
	return count
}

// replaced says if a node is no longer the machine that the roster names.
func (n Nodes) replaced(state *history.State, name string) string {
	node, want := state.Node(name), n.roster[name]
	if node == nil {
		return "the Node object is gone"
	}
	if node.UID != want {
		return fmt.Sprintf("it is another node by now, with UID %s instead of %s", node.UID, want)
	}
	return ""
}
