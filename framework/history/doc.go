// Package history records what happens in a cluster while a spec acts on it.
// Watches feed one ordered record of changes; the state at any instant can be
// replayed from it. Nothing is sampled, so "never" and "at most" can be judged
// at every change. A watch that lost events leaves a gap, which is kept: no
// claim about a history with a gap is proven.
package history
