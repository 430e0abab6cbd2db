// Package termination checks what Kubernetes promises about the end of a Pod:
// the grace period, the signals, the preStop handler, and what the API shows
// of it all before the Pod is gone.
package termination
