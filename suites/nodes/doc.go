// Package nodes checks how the control plane tells what is wrong with a node:
// which condition becomes which taint, what a silent node looks like, and what
// that does to the Pods on it. The kubelet's part is played by simulated nodes.
package nodes
