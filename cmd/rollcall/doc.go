// Command rollcall checks that a Kubernetes cluster does to DaemonSets, nodes
// and init containers what the documentation says. Each verb has a file here
// that reads its flags and calls the framework; no logic lives in this package.
package main
