// Package sidecars checks what Kubernetes promises about init containers with
// restartPolicy Always: when they start, what waits for them, what restarts, and
// in what order they end. The kubelet is on trial, so the specs start real Pods;
// what the containers themselves saw is read from their termination messages.
package sidecars
