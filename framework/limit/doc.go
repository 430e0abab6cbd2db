// Package limit is the table of every time limit in rollcall: how long each
// step may take before it counts as broken, and where the number comes from.
package limit
