// Package qos checks which Quality of Service class Kubernetes gives a Pod. The
// API server decides that when a Pod is created, so nearly all of it is seen in
// server-side dry runs, without starting anything.
package qos
