// Package scene is what a spec acts on: a disposable namespace in the cluster,
// the history that is recorded in it, and the few verbs that a spec needs.
// It also sees to it that a spec leaves nothing behind, and that a verdict with
// a hole in its evidence is called inconclusive.
package scene
