// Package mutants proves that the suites bite: it breaks one promise of a kind
// cluster at a time and sees whether the right requirement turns red.
//
// A mutant is an entry of the table. Most are small edits of k8s.io/kubernetes:
// all of them are compiled into one multi-call binary, each behind its name, and
// an environment variable wakes one of them, so that going from one mutant to
// the next costs a restart and not a build. A saboteur leaves Kubernetes alone
// and undoes the promise from outside, with an admission policy.
//
// The cluster is healed whatever happens, and what a dead run left behind is
// healed before the next one begins.
package mutants
