// Package resources checks what Kubernetes promises about the effective request
// of a Pod: what its containers, init containers and sidecars ask for together.
// A ResourceQuota shows that number exactly, without a scheduler or a node, so
// nearly all of it is seen at Pods that never start.
package resources
