// Package node acts on nodes without leaving a mark: it lends them to one spec
// at a time, writes each change into a journal in the cluster before it makes
// it, and undoes it, also after the process that made it was killed. It also
// makes Node objects with no machine behind them, and runs kubectl's commands
// that act on nodes.
package node
