// Package drain holds the specs about cordon, drain and uncordon: what they do
// to the Pods of DaemonSets and what to others, and what kubectl says of it.
package drain
