package requirement

import (
	"time"
)

// Docs is where every documentation path of the catalogue starts.
const Docs = "https://kubernetes.io/docs/"

// Requirement is one documented behaviour that a cluster shows or breaks.
type Requirement struct {
	// ID names the requirement for ever, such as COV-01.
	ID string
	// Statement is the promise, as one sentence.
	Statement string
	// Doc is the path of the page that promises it, below Docs, or a full URL.
	Doc string
	// Source is the code of k8s.io/kubernetes that implements it.
	Source string
	// Since and Until bound the minor versions that promise it, such as "1.25";
	// both are inclusive and an empty one is no bound.
	Since, Until string
	// Level is how far the check reaches.
	Level Level
	// Last says that nothing may be checked after it: it changes which machines
	// the cluster consists of.
	Last bool `json:",omitempty"`
	// Needs lists what a cluster must offer for the check to mean anything.
	Needs []Capability
	// Limit is the longest that the behaviour may take on a small cluster, before
	// scaling.
	Limit time.Duration
	// Remedy tells an operator what to do about a failure.
	Remedy string
	// Note tells where documentation and release differ, or what the check
	// leaves out.
	Note string
	// Deviations are known ways in which releases depart from the promise.
	Deviations []Deviation `json:",omitempty"`
	// Unchecked is why no spec checks this requirement; empty if one does.
	Unchecked string
}

// Capability is something that not every cluster offers.
type Capability string

const (
	// OneNode asks for a node that an ordinary Pod may run on. Each requirement
	// that is seen at Pods on the cluster's own nodes needs it.
	OneNode Capability = "one-node"
	// TwoNodes asks for at least two nodes that an ordinary Pod may run on.
	TwoNodes Capability = "two-nodes"
	// HostNetwork asks that Pods of a namespace labelled privileged may use the
	// network of their node.
	HostNetwork Capability = "host-network"
	// PodLevelResources asks that the API server keeps resources of a whole Pod.
	PodLevelResources Capability = "pod-level-resources"
	// ContainerRestartRules asks that the API server keeps restart rules of a
	// container.
	ContainerRestartRules Capability = "container-restart-rules"
	// LentNode asks for a node that the user has marked as free to disturb.
	LentNode Capability = "lent-node"
	// NodeObjects asks that Node objects without a machine behind them survive.
	NodeObjects Capability = "node-objects"
)

// URL returns the address of the page that promises the behaviour.
func (r Requirement) URL() string {
	if len(r.Doc) > 4 && r.Doc[:4] == "http" {
		return r.Doc
	}
	return Docs + r.Doc
}

// Asks returns what a cluster must offer, whether the requirement names it or its
// level implies it.
func (r Requirement) Asks() []Capability {
	switch r.Level {
	case Namespace, Node, Outage:
		return append([]Capability{OneNode}, r.Needs...)
	}
	return r.Needs
}

// Checked reports whether a spec checks the requirement.
func (r Requirement) Checked() bool { return r.Unchecked == "" }
