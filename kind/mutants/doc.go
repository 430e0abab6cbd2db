// Package mutants proves that the suites bite: it breaks one promise of a kind
// cluster at a time and sees whether the right requirement turns red.
//
// A mutant is an entry of the table. Most are small edits of Kubernetes: all of
// them are compiled into one multi-call binary, each behind its name. It stands in
// for a component, and a file on the node wakes one mutant after the other, so
// that going from one to the next costs neither a build nor a restart. A saboteur
// leaves Kubernetes alone and undoes the promise from outside, with an admission
// policy. A mutant of kubectl is given to the run and leaves the cluster alone.
//
// Several clusters share the mutants out among them: most of a run is waiting, so
// two clusters on one machine take little more than half the time of one.
//
// Just the requirements that a mutant must or may turn red are checked, and only
// of mutants for which there is a spec: the others wait.
//
// The cluster is healed whatever happens, and what a dead run left behind is
// healed before the next one begins.
package mutants
