// Package updates checks how a DaemonSet passes from one version of its
// template to the next and back: how many nodes at a time, in which order, what
// stops it, and what it remembers. Each DaemonSet is kept to a few nodes of the
// roster, so that an update is short however large the cluster is.
package updates
