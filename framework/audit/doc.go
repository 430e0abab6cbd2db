// Package audit tells whether every node that was meant to be covered by a
// DaemonSet is covered, and if not, why.
//
// It is pure: a Snapshot of a cluster goes in, an Audit comes out, and neither a
// clock nor a server is asked in between. A snapshot comes from a cluster
// (Collect) or from files that kubectl saved (Load). Which nodes are meant says
// a Roster, which must not come from the DaemonSet's own selector: a selector
// with a typo hides a node from the controller and from every counter of the
// DaemonSet at once.
package audit
