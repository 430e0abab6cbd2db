// Package tolerations checks what DaemonSet Pods and ordinary Pods tolerate
// without being told to, and for how long.
package tolerations
