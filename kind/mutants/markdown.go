package mutants

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"rollcall.dev/rollcall/framework/exit"
	"rollcall.dev/rollcall/framework/requirement"
)

const markdownHead = `# Mutants: the proof that rollcall bites

A mutant is a real Kubernetes with one promise broken. This page lists all of them,
the requirements that must turn red, and what did. It is generated: ` + "`make docs`" + `
writes it from ` + "`docs/mutants.json`" + `, which ` + "`make mutants`" + ` updates as it tries them. The
edits themselves are in ` + "`kind/mutants/table_*.go`" + `.

A mutant is *caught* when everything that it must turn red did so in the last run
that tried it; the number in brackets is how many runs in a row have caught it.
*Waits* means that no spec checks yet what it breaks.

`

// WriteMarkdown writes the table with the results that a file holds.
func WriteMarkdown(out io.Writer, file string, catalogue *requirement.Catalogue) error {
	if file == "" {
		return exit.Usagef("--markdown needs the file of --results")
	}
	records, err := readRecords(file)
	if err != nil {
		return err
	}
	_, err = io.WriteString(out, markdown(records, catalogue))
	return err
}

func markdown(records []record, catalogue *requirement.Catalogue) string {
	lines := make([]line, len(table))
	for i, mutant := range table {
		lines[i] = lineOf(mutant, records, catalogue)
	}
	var page strings.Builder
	page.WriteString(markdownHead)
	page.WriteString(sums(lines))
	for _, name := range areaNames() {
		fmt.Fprintf(&page, "\n## %s\n\n", upperFirst(name))
		page.WriteString("| mutant | component | must turn red | turned red | verdict | time |\n|---|---|---|---|---|---|\n")
		for _, l := range lines {
			if l.mutant.Area == name {
				page.WriteString(l.row())
			}
		}
	}
	page.WriteString("\n## Requirements without a mutant\n\n| requirement | why |\n|---|---|\n")
	for _, id := range unbrokenOf(catalogue) {
		fmt.Fprintf(&page, "| %s | %s |\n", id, unbroken[id])
	}
	return page.String()
}

// line is a mutant and what became of it.
type line struct {
	mutant  Mutant
	verdict string
	red     []string
	took    string
	inARow  int
}

func lineOf(mutant Mutant, records []record, catalogue *requirement.Catalogue) line {
	if open := mutant.unchecked(catalogue); len(open) > 0 {
		return line{mutant: mutant, verdict: "waits"}
	}
	i := slices.IndexFunc(records, func(r record) bool { return r.Mutant == mutant.Name })
	if i < 0 {
		return line{mutant: mutant, verdict: "not run"}
	}
	found := records[i]
	l := line{mutant: mutant, verdict: "missed", red: found.Red, took: fmt.Sprintf("%.0f s", found.Seconds), inARow: found.InARow}
	if compareRed(mutant, found.Red, found.Open).Caught() {
		l.verdict = "caught"
	}
	return l
}

func (l line) row() string {
	verdict := l.verdict
	if verdict == "caught" {
		verdict = fmt.Sprintf("caught (%d)", l.inARow)
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %s |\n",
		l.mutant.Name, l.mutant.Component, listed(l.mutant.Expect), listed(l.red), verdict, l.took)
}

// sums tells how many there are of each verdict.
func sums(lines []line) string {
	count := map[string]int{}
	for _, l := range lines {
		count[l.verdict]++
	}
	return fmt.Sprintf("%d mutants: %d caught, %d missed, %d not run, %d waiting for a spec.\n",
		len(lines), count["caught"], count["missed"], count["not run"], count["waits"])
}

// areaNames are those of the table, each once, in the order of the table.
func areaNames() []string {
	var names []string
	for _, mutant := range table {
		if !slices.Contains(names, mutant.Area) {
			names = append(names, mutant.Area)
		}
	}
	return names
}

func listed(ids []string) string { return strings.Join(ids, ", ") }

func upperFirst(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
