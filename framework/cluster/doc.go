// Package cluster is everything that rollcall knows about the cluster in front
// of it before and after the specs run: how to reach it, what it is made of,
// what the caller may do there, whether a run can begin, that no other run is
// under way, and what earlier runs left behind.
package cluster
