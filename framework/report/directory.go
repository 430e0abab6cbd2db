package report

import (
	"context"
	"errors"
	"os"
	"path/filepath"
)

// Directory keeps the report in a folder, which it makes if need be:
// report.json after every verdict, and every other format at the end.
type Directory struct {
	// Path is the folder's.
	Path string
}

// Save replaces report.json.
func (d Directory) Save(_ context.Context, r *ConformanceReport) error {
	return d.write(Formats[0], r)
}

// Finish writes every format. One that fails keeps no other from being written.
func (d Directory) Finish(_ context.Context, r *ConformanceReport) error {
	var faults []error
	for _, format := range Formats {
		faults = append(faults, d.write(format, r))
	}
	return errors.Join(faults...)
}

func (d Directory) write(format Format, r *ConformanceReport) error {
	data, err := format.render(r)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(d.Path, 0o755); err != nil {
		return err
	}
	return replaceFile(filepath.Join(d.Path, format.File), data)
}
