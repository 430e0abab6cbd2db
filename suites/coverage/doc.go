// Package coverage checks that a DaemonSet has just one Pod on every node that
// it belongs on, that its status says so, and that its Pods are its own. Nodes
// are told apart by labels that they carry anyway; none is written to.
package coverage
