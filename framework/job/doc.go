// Package job runs rollcall inside a cluster: it creates the Job and what that
// needs, follows it to its end, fetches the report and takes everything away
// again.
package job
