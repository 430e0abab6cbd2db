package report

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"rollcall.dev/rollcall/framework/requirement"
)

// APIVersion and Kind identify a report.
const (
	APIVersion = "rollcall.dev/v1"
	Kind       = "ConformanceReport"
	// ConfigMapName is the ConfigMap that holds the newest report, in
	// rollcall's own namespace.
	ConfigMapName = "rollcall-report"
)

// Conclusion is what a whole run says about a cluster.
type Conclusion string

const (
	// Conformant: every requirement that was asked for is kept.
	Conformant Conclusion = "conformant"
	// NotConformant: at least one requirement is broken.
	NotConformant Conclusion = "not conformant"
	// Partial: nothing is broken, but a requirement that was asked for could
	// not be checked.
	Partial Conclusion = "partial"
	// Inconclusive: nothing is broken, but the evidence for a requirement has
	// a hole.
	Inconclusive Conclusion = "inconclusive"
	// CouldNotRun: the run never began, or its infrastructure failed.
	CouldNotRun Conclusion = "could not run"
	// Interrupted: the run was stopped before its end.
	Interrupted Conclusion = "interrupted"
)

// Verdict is what a run says about one requirement.
type Verdict string

// The verdicts.
const (
	Passed  Verdict = "passed"
	Failed  Verdict = "failed"
	Unknown Verdict = "inconclusive"
	Skipped Verdict = "skipped"
	Waived  Verdict = "waived"
)

// ConformanceReport is everything that one run found out.
type ConformanceReport struct {
	APIVersion string  `json:"apiVersion"`
	Kind       string  `json:"kind"`
	Run        Run     `json:"run"`
	Cluster    Cluster `json:"cluster"`
	// Conclusion is the verdict over all; Reason says why it is not conformant.
	Conclusion Conclusion `json:"conclusion"`
	Reason     string     `json:"reason,omitempty"`
	Counts     Counts     `json:"counts"`
	// Results holds one entry a requirement, in the catalogue's order.
	Results []Result `json:"results"`
}

// Run tells how the report came about.
type Run struct {
	ID       string            `json:"id"`
	Version  string            `json:"version"`
	Level    requirement.Level `json:"level"`
	Focus    []string          `json:"focus,omitempty"`
	Started  metav1.Time       `json:"started"`
	Finished *metav1.Time      `json:"finished,omitempty"`
}

// Cluster tells what was checked.
type Cluster struct {
	Server  string `json:"server"`
	Context string `json:"context,omitempty"`
	// UID is that of the namespace kube-system, which lives as long as the
	// cluster.
	UID      string   `json:"uid"`
	Version  string   `json:"version"`
	Nodes    []Node   `json:"nodes"`
	Warnings []string `json:"warnings,omitempty"`
}

// Node is a node as the run found it.
type Node struct {
	Name    string `json:"name"`
	UID     string `json:"uid"`
	Version string `json:"version"`
	Ready   bool   `json:"ready"`
	Lent    bool   `json:"lent,omitempty"`
	// Excluded is why the node is not on the roster; empty if it is.
	Excluded string `json:"excluded,omitempty"`
}

// Counts counts requirements by verdict.
type Counts struct {
	Passed       int `json:"passed"`
	Failed       int `json:"failed"`
	Inconclusive int `json:"inconclusive"`
	Skipped      int `json:"skipped"`
	Waived       int `json:"waived"`
}

// Result is the verdict on one requirement.
type Result struct {
	ID        string            `json:"id"`
	Area      string            `json:"area"`
	Level     requirement.Level `json:"level"`
	Statement string            `json:"statement"`
	Doc       string            `json:"doc"`
	Verdict   Verdict           `json:"verdict"`
	// Reason is why a requirement was skipped, waived or left open.
	Reason string `json:"reason,omitempty"`
	// Required is false where a skip does not make the run partial: the
	// release does not promise the behaviour, or nobody asked for it.
	Required bool   `json:"required"`
	Remedy   string `json:"remedy,omitempty"`
	Specs    []Spec `json:"specs,omitempty"`
	// Seconds is the time that its specs took together.
	Seconds float64 `json:"seconds"`
}

// Spec is one spec that checked the requirement.
type Spec struct {
	Text    string      `json:"text"`
	Verdict Verdict     `json:"verdict"`
	Started metav1.Time `json:"started"`
	Seconds float64     `json:"seconds"`
	// Message is what went wrong, in full: what was expected, the violation,
	// the lines of the history around it.
	Message string `json:"message,omitempty"`
	// Evidence is what was seen, a line each.
	Evidence []string `json:"evidence,omitempty"`
	// Timeline is what happened to nodes and Pods; kept for a failed spec.
	Timeline *Timeline `json:"timeline,omitempty"`
}

// Timeline is the part of a history that a picture needs.
type Timeline struct {
	From       time.Time   `json:"from"`
	To         time.Time   `json:"to"`
	Bars       []Bar       `json:"bars"`
	Marks      []Moment    `json:"marks,omitempty"`
	Violations []Violation `json:"violations,omitempty"`
}

// Bar is a stretch in which a Pod was in one state on one node.
type Bar struct {
	Node    string    `json:"node"`
	Pod     string    `json:"pod"`
	Version string    `json:"version,omitempty"`
	State   string    `json:"state"` // pending, running, ready, terminating, finished
	From    time.Time `json:"from"`
	To      time.Time `json:"to"`
}

// Moment is an action of the spec.
type Moment struct {
	At   time.Time `json:"at"`
	Text string    `json:"text"`
}

// Violation is an instant at which a claim did not hold.
type Violation struct {
	At      time.Time `json:"at"`
	Node    string    `json:"node,omitempty"`
	Pod     string    `json:"pod,omitempty"`
	Message string    `json:"message"`
}
