// Package outages checks on a real node what becomes of its Pods when the node is
// taken away for a while: its kubelet falls silent, or its Node object is deleted
// and comes back. The node's own systemd starts the kubelet again.
package outages
