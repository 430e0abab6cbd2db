package report

import (
	"io"
	"os"

	"golang.org/x/term"
)

// Colourful reports whether output to w may be coloured: w is a terminal that
// can, and the user has not set NO_COLOR (see no-color.org).
func Colourful(w io.Writer) bool {
	if os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return false
	}
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// ink paints text, or leaves it alone where it is false.
type ink bool

const (
	bold   = "1"
	faint  = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
	violet = "35"
)

func (i ink) paint(code, text string) string {
	if !i || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// Bold makes text stand out if colour is true.
func Bold(text string, colour bool) string { return ink(colour).paint(bold, text) }

// Paint colours text by a verdict if colour is true; the word itself always
// says the same as the colour.
func (v Verdict) Paint(text string, colour bool) string {
	return ink(colour).paint(v.ink(), text)
}

func (v Verdict) ink() string {
	switch v {
	case Passed:
		return green
	case Failed:
		return red
	case Skipped:
		return faint
	case Waived:
		return violet
	default:
		return yellow
	}
}

func (c Conclusion) ink() string {
	switch c {
	case Conformant:
		return green
	case NotConformant, CouldNotRun:
		return red
	default:
		return yellow
	}
}
