// Package progress tells a person, in plain lines, which step is running, about
// how long it takes and how long it took.
package progress
