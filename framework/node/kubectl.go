package node

import (
	"context"
	"slices"
	"strings"
	"time"
)

// Kubectl runs kubectl's commands that act on nodes: cordon, uncordon, drain.
type Kubectl interface {
	// Run runs a command as a shell would, without the program's name. An error
	// says that it could not be run; what the command itself found wrong is in
	// the Answer.
	Run(ctx context.Context, args ...string) (Answer, error)
}

// Answer is what a command said.
type Answer struct {
	Out, Err string
	Code     int
}

// drainTimeout bounds a drain that names no limit of its own: it would otherwise
// wait for ever.
const drainTimeout = time.Minute

// bounded gives a drain a limit if it has none.
func bounded(args []string) []string {
	isLimit := func(arg string) bool { return arg == "--timeout" || strings.HasPrefix(arg, "--timeout=") }
	if len(args) == 0 || args[0] != "drain" || slices.ContainsFunc(args, isLimit) {
		return args
	}
	return append(slices.Clone(args), "--timeout="+drainTimeout.String())
}
