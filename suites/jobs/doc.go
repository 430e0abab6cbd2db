// Package jobs checks what Kubernetes promises about Jobs as far as a run that
// is itself a Job depends on it: what counts as a failure, which Pods are kept,
// when a Job is removed, and what a disruption does to it.
package jobs
