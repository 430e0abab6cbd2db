// Package exit holds the errors that decide with which code rollcall ends when
// there is no verdict: wrong usage, and a cluster or an environment that does
// not let a run begin. A verdict's code belongs to the report.
package exit
