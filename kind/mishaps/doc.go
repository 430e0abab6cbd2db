// Package mishaps proves what a run leaves behind when things go wrong around it:
// nothing on a node, and no verdict that is not earned. Its tests run `rollcall
// run` against a kind cluster and then kill it, starve it, or change the cluster
// under its feet; `make mishaps` names the cluster. Without one they are skipped.
//
// What goes wrong inside the cluster, and must turn a run red, is the business of
// package mutants.
package mishaps
