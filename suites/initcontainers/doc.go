// Package initcontainers checks what Kubernetes promises about init containers:
// their order, what waits for them, what happens when they fail. The kubelet is
// on trial, so every spec starts real Pods; what the containers themselves saw
// is read from their termination messages.
package initcontainers
