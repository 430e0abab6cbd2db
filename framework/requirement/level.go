package requirement

import (
	"fmt"
	"slices"
	"strings"
)

// Level says how far a spec reaches into a cluster. Levels are ordered: a run
// that may reach a level may reach every level below it.
type Level string

const (
	// API touches nothing: server-side dry runs, and objects in a namespace of
	// its own that start no Pod.
	API Level = "api"
	// Namespace starts Pods and DaemonSets in disposable namespaces.
	Namespace Level = "namespace"
	// Simulated creates Node objects without a kubelet behind them.
	Simulated Level = "simulated"
	// Node changes labels and taints of lent nodes, cordons and drains them.
	Node Level = "node"
	// Outage stops the kubelet of a lent node or deletes its Node object.
	Outage Level = "outage"
)

// Levels lists all levels, the gentlest first.
var Levels = []Level{API, Namespace, Simulated, Node, Outage}

// ParseLevel returns the level called name. Its error names all levels.
func ParseLevel(name string) (Level, error) {
	if level := Level(name); slices.Contains(Levels, level) {
		return level, nil
	}
	names := make([]string, len(Levels))
	for i, level := range Levels {
		names[i] = string(level)
	}
	return "", fmt.Errorf("unknown level %q: choose one of %s", name, strings.Join(names, ", "))
}

// Reaches reports whether a run at this level may run what asks for other.
func (l Level) Reaches(other Level) bool {
	return slices.Index(Levels, l) >= slices.Index(Levels, other)
}
