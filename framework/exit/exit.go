package exit

import (
	"context"
	"errors"
	"fmt"
)

// The exit codes that are no verdict.
const (
	CouldNotRun = 3
	Interrupted = 4
	WrongUsage  = 64
)

// UsageError is a request that cannot be carried out as it was written. Nothing
// was created.
type UsageError struct{ err error }

func (e *UsageError) Error() string { return e.err.Error() }

// Unwrap returns the cause.
func (e *UsageError) Unwrap() error { return e.err }

// Usagef returns a UsageError; it formats as fmt.Errorf does.
func Usagef(format string, args ...any) error {
	return &UsageError{err: fmt.Errorf(format, args...)}
}

// EnvironmentError is something about the cluster, the network or the rights of
// the caller that keeps a run from beginning. It says nothing about whether the
// cluster conforms.
type EnvironmentError struct{ err error }

func (e *EnvironmentError) Error() string { return e.err.Error() }

// Unwrap returns the cause.
func (e *EnvironmentError) Unwrap() error { return e.err }

// Environmentf returns an EnvironmentError; it formats as fmt.Errorf does.
func Environmentf(format string, args ...any) error {
	return &EnvironmentError{err: fmt.Errorf(format, args...)}
}

// Code returns the exit code that an error stands for, 0 for none. An error of
// no particular kind means that the run could not be done.
func Code(err error) int {
	var usage *UsageError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &usage):
		return WrongUsage
	case errors.Is(err, context.Canceled):
		return Interrupted
	default:
		return CouldNotRun
	}
}
