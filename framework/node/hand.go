package node

import (
	"k8s.io/client-go/kubernetes"

	"rollcall.dev/rollcall/framework/cluster"
)

// Hand is who acts on nodes: one run, with a namespace for its journal.
type Hand struct {
	Client kubernetes.Interface
	// Namespace is rollcall's own.
	Namespace string
	// Run is the run's ID.
	Run string
}

// The labels by which the journal and the leases of lent nodes are found. They
// are not cluster.RunLabel: a clean-up deletes what carries that, and a journal
// goes only when its change is undone.
const (
	journalLabel = "rollcall.dev/journal"
	loanLabel    = "rollcall.dev/loan"
)

// labels returns the labels of an object of this run, found by the given one.
func (h Hand) labels(kind string) map[string]string {
	return map[string]string{kind: h.Run, cluster.ManagedByLabel: cluster.ManagedBy}
}
