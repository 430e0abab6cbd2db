// Package run carries out a run: it plans which requirements are checked and
// why others are not, gives each spec a process of its own, listens to what
// they find, and turns that into a report that no signal can lose.
//
// The process that the user starts is the parent. It plans, listens and
// reports, and runs no spec itself. Its children are workers: the same program,
// told over a pipe which specs to run. A worker that dies takes one verdict
// with it and not the run.
package run
