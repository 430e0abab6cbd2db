// Package host knows the machine beneath the cluster: its distribution, the
// capabilities of a process, and how to run a command or install a Debian
// package on it. It decides nothing.
package host
