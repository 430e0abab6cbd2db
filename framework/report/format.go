package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// Format is a form that a report is written in.
type Format struct {
	// Name is what a user calls it, such as junit.
	Name string
	// File is the name of the file that holds it.
	File string
	// Write writes it.
	Write func(io.Writer, *ConformanceReport) error
}

// Formats lists every form, the one that the others are rendered from first.
var Formats = []Format{
	{"json", "report.json", WriteJSON},
	{"junit", "junit.xml", WriteJUnit},
	{"text", "report.txt", writePlainText},
	{"html", "report.html", WriteHTML},
}

// ParseFormat returns the format called name. Its error names all formats.
func ParseFormat(name string) (Format, error) {
	names := make([]string, len(Formats))
	for i, format := range Formats {
		if format.Name == name {
			return format, nil
		}
		names[i] = format.Name
	}
	return Format{}, fmt.Errorf("unknown report format %q: choose one of %s", name, strings.Join(names, ", "))
}

func writePlainText(w io.Writer, r *ConformanceReport) error { return WriteText(w, r, false) }

// render returns a report in this form.
func (f Format) render(r *ConformanceReport) ([]byte, error) {
	var buffer bytes.Buffer
	if err := f.Write(&buffer, r); err != nil {
		return nil, fmt.Errorf("cannot render %s: %w", f.File, err)
	}
	return buffer.Bytes(), nil
}
