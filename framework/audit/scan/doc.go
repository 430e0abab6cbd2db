// Package scan walks JSON text without building anything from it, so that files
// of gigabytes, as kubectl saves them from large clusters, cost little time and
// memory. It refuses an object that names a key twice: which of the two values
// is meant, no reader can know.
package scan
