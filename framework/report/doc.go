// Package report holds what a run has found: the ConformanceReport type, which
// is an API of its own (rollcall.dev/v1), and the writers that turn it into
// JSON, JUnit, text and HTML. JSON is the source; every other form is rendered
// from it. A Sink keeps a report where it outlives the run: in a folder, in a
// ConfigMap, in a Pod's termination message, or with Sonobuoy.
package report
