package run

import (
	"time"

	"k8s.io/apimachinery/pkg/types"

	corev1 "k8s.io/api/core/v1"

	"rollcall.dev/rollcall/framework/cluster"
	"rollcall.dev/rollcall/framework/report"
)

// Order is what the parent tells a worker, once, on its standard input. The
// pipe stays open afterwards: when it closes, the parent is gone, and the
// worker cleans up and ends.
type Order struct {
	Target     cluster.Target
	RunID      string
	Image      string
	PullSecret *corev1.Secret
	Version    string
	Roster     map[string]types.UID
	Scale      float64
	// Home is rollcall's own namespace.
	Home string
	// Lent is the nodes that may be disturbed: name to UID.
	Lent        map[string]types.UID
	EvictOthers bool
	// Kubectl is the path of the user's own; empty means the one built in.
	Kubectl string
	// Histories is a folder for the histories of the specs that fail, or of all of
	// them; empty keeps none.
	Histories    string
	AllHistories bool
	Specs        []string
	// Timeout bounds the whole order.
	Timeout time.Duration
}

// Message is what a worker tells the parent, a line of JSON each. Exactly one
// of its fields is set besides Spec.
type Message struct {
	// Spec is the text of the spec that this is about.
	Spec string
	// Started says that the spec begins.
	Started bool `json:",omitempty"`
	// Waiting is what the spec waits for now.
	Waiting string `json:",omitempty"`
	// Finding is what the spec found; it has ended.
	Finding *report.Spec `json:",omitempty"`
	// Trouble says why the worker can run nothing.
	Trouble string `json:",omitempty"`
}
