package audit

import (
	"encoding/json"
	"io"
	"slices"
	"strings"

	"rollcall.dev/rollcall/framework/exit"
	"rollcall.dev/rollcall/framework/report"
)

// Document is what can be written in every format: an Audit or a Survey.
type Document interface {
	// ExitCode is what the command ends with.
	ExitCode() int
	writeText(*page)
	htmlPage() string
}

// Formats names the formats of a Document.
var Formats = []string{"text", "json", "html"}

// CheckFormat says if there is no such format.
func CheckFormat(name string) error {
	if !slices.Contains(Formats, name) {
		return exit.Usagef("unknown output format %q: choose one of %s", name, strings.Join(Formats, ", "))
	}
	return nil
}

// Write writes a document; text is coloured where the output is a terminal.
func Write(to io.Writer, d Document, format string) error {
	switch format {
	case "json":
		encoder := json.NewEncoder(to)
		encoder.SetIndent("", "  ")
		encoder.SetEscapeHTML(false)
		return encoder.Encode(d)
	case "html":
		return writeHTML(to, d)
	default:
		p := &page{colour: report.Colourful(to)}
		d.writeText(p)
		_, err := io.WriteString(to, p.String())
		return err
	}
}
