package audit

import (
	"fmt"
	"strings"

	"k8s.io/cli-runtime/pkg/printers"

	"rollcall.dev/rollcall/framework/report"
)

// page is text for a person, which grows line by line.
type page struct {
	strings.Builder
	colour bool
}

func (p *page) line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

func (p *page) paint(tone report.Verdict, text string) string { return tone.Paint(text, p.colour) }

// heading starts a section.
func (p *page) heading(format string, args ...any) {
	p.line("")
	p.line("%s", report.Bold(fmt.Sprintf(format, args...), p.colour))
}

// row is a line of a table; tone colours all of it, if it is set.
type row struct {
	tone  report.Verdict
	cells []string
}

// table writes aligned rows below a header. Colour comes after the alignment,
// which counts characters.
func (p *page) table(header []string, rows []row) {
	var aligned strings.Builder
	writer := printers.GetNewTabWriter(&aligned)
	fmt.Fprintln(writer, strings.Join(header, "\t"))
	for _, row := range rows {
		fmt.Fprintln(writer, strings.Join(row.cells, "\t"))
	}
	writer.Flush()
	for i, line := range strings.Split(strings.TrimSuffix(aligned.String(), "\n"), "\n") {
		line = strings.TrimRight(line, " ")
		if i > 0 && rows[i-1].tone != "" {
			line = p.paint(rows[i-1].tone, line)
		}
		p.line("  %s", line)
	}
}

// several names the first few of a list and counts the rest.
func several(names []string) string {
	const named = 4
	if more := len(names) - named; more > 1 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:named], ", "), more)
	}
	return strings.Join(names, ", ")
}

// plural is a number and the word for it.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
