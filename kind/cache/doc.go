// Package cache is rollcall's part of the user's cache folder: what takes long to
// make and outlives a cluster, and the locks by which processes take turns.
package cache
