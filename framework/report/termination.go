package report

import (
	"context"
	"errors"
	"io/fs"
	"os"
)

// DefaultTerminationLog is where a kubelet looks for a container's termination
// message, unless the Pod says otherwise.
const DefaultTerminationLog = "/dev/termination-log"

// maxTerminationMessage is how many bytes of it a kubelet keeps.
const maxTerminationMessage = 4096

// TerminationLog keeps the one-line verdict in a file, where the kubelet picks
// it up into the status of the Pod.
type TerminationLog struct {
	// Path is the file's.
	Path string
	// Create asks for the file even where there is none; without it, a file
	// that is not there means that the run is not inside a Pod.
	Create bool
}

// Save writes the line as it is so far, so that even a run that is killed
// leaves one.
func (t TerminationLog) Save(_ context.Context, r *ConformanceReport) error {
	return t.write(r.Line())
}

// Finish writes the final line.
func (t TerminationLog) Finish(_ context.Context, r *ConformanceReport) error {
	return t.write(r.Line())
}

// write rewrites the file in place: it is a mount point, and cannot be renamed
// over.
func (t TerminationLog) write(line string) error {
	flags := os.O_WRONLY | os.O_TRUNC
	if t.Create {
		flags |= os.O_CREATE
	}
	file, err := os.OpenFile(t.Path, flags, 0o644)
	if errors.Is(err, fs.ErrNotExist) && !t.Create {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = file.WriteString(line[:min(len(line), maxTerminationMessage)])
	return errors.Join(err, file.Close())
}
