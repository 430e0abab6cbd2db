package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// slowestShown is how many specs the text names under where the time went.
const slowestShown = 5

// WriteText writes the summary for a terminal or a log: a table by area, each
// requirement that did not pass, where the time went, and the verdict as the
// last line. Colours are used only if colour is true.
func WriteText(w io.Writer, r *ConformanceReport, colour bool) error {
	t := &textWriter{ink: ink(colour), told: map[string]string{}}
	t.header(r)
	t.table(byArea(r), r.Counts)
	// The worst comes last, where a terminal stands when all is written.
	t.skips(r)
	for _, verdict := range []Verdict{Waived, Unknown, Failed} {
		t.findings(r, verdict)
	}
	t.times(slowest(r, slowestShown))
	t.line("%s", t.ink.paint(bold+";"+r.Conclusion.ink(), r.Line()))
	_, err := io.WriteString(w, t.String())
	return err
}

type textWriter struct {
	strings.Builder
	ink ink
	// told maps what was seen to the requirement under which it is written, for
	// one spec may break several.
	told map[string]string
}

func (t *textWriter) line(format string, args ...any) { fmt.Fprintf(t, format+"\n", args...) }

func (t *textWriter) header(r *ConformanceReport) {
	t.line("rollcall %s, run %s, level %s", r.Run.Version, r.Run.ID, r.Run.Level)
	t.line("%s", clean(clusterLine(r.Cluster)))
	for _, reason := range excluded(r.Cluster.Nodes) {
		t.line("not on the roster: %s", clean(reason))
	}
	for _, warning := range r.Cluster.Warnings {
		t.line("%s %s", t.ink.paint(yellow, "warning:"), oneLine(warning))
	}
	t.line("")
}

// clusterLine names the cluster and how much of it is checked.
func clusterLine(c Cluster) string {
	parts := []string{c.Server}
	if c.Context != "" {
		parts = append(parts, "context "+c.Context)
	}
	if c.Version != "" {
		parts = append(parts, "kubernetes "+c.Version)
	}
	roster := 0
	for _, node := range c.Nodes {
		if node.Excluded == "" {
			roster++
		}
	}
	parts = append(parts, fmt.Sprintf("%s, %d on the roster", count(len(c.Nodes), "node", "nodes"), roster))
	return strings.Join(parts, ", ")
}

// excluded names the nodes that nothing is said about, a line for each reason.
func excluded(nodes []Node) []string {
	names := map[string][]string{}
	for _, node := range nodes {
		if node.Excluded != "" {
			names[node.Excluded] = append(names[node.Excluded], node.Name)
		}
	}
	var lines []string
	for _, reason := range slices.Sorted(maps.Keys(names)) {
		lines = append(lines, some(names[reason])+" ("+reason+")")
	}
	return lines
}

func (t *textWriter) table(areas []area, total Counts) {
	if len(areas) == 0 {
		return
	}
	width, seconds := len("total"), 0.0
	for _, area := range areas {
		width = max(width, len(area.Name))
		seconds += area.Seconds
	}
	heading := fmt.Sprintf("%-*s", width, "area")
	for _, verdict := range Verdicts {
		heading += fmt.Sprintf("  %*s", len(verdict), verdict)
	}
	t.line("%s", t.ink.paint(bold, heading+fmt.Sprintf("  %8s", "time")))
	for _, area := range areas {
		t.row(width, area.Name, area.Counts, area.Seconds)
	}
	t.row(width, "total", total, seconds)
	t.line("")
}

func (t *textWriter) row(width int, name string, counts Counts, seconds float64) {
	line := fmt.Sprintf("%-*s", width, name)
	for _, verdict := range Verdicts {
		line += "  " + t.cell(verdict, counts.Of(verdict))
	}
	spent := "·"
	if seconds > 0 {
		spent = took(seconds)
	}
	t.line("%s  %8s", line, spent)
}

// cell shows nothing as a dot, so that what is there stands out.
func (t *textWriter) cell(verdict Verdict, n int) string {
	if n == 0 {
		return t.ink.paint(faint, fmt.Sprintf("%*s", len(verdict), "·"))
	}
	return verdict.Paint(fmt.Sprintf("%*d", len(verdict), n), bool(t.ink))
}

func (t *textWriter) findings(r *ConformanceReport, verdict Verdict) {
	for _, result := range r.Results {
		if result.Verdict == verdict {
			t.finding(result)
		}
	}
}

func (t *textWriter) finding(result Result) {
	head := fmt.Sprintf("%s  %s", strings.ToUpper(string(result.Verdict)), result.ID)
	t.line("%s  %s", result.Verdict.Paint(head, bool(t.ink)), t.ink.paint(bold, oneLine(result.Statement)))
	t.seen(result)
	if result.Remedy != "" {
		t.line("    %s %s", t.ink.paint(bold, "what to do:"), oneLine(result.Remedy))
	}
	t.line("    %s %s", t.ink.paint(bold, "documented:"), result.URL())
	t.line("")
}

func (t *textWriter) seen(result Result) {
	seen := result.Seen()
	if seen == "" {
		return
	}
	if id, known := t.told[seen]; known {
		t.line("    the same was seen as for %s, above", id)
		return
	}
	t.told[seen] = result.ID
	t.line("%s", indent(seen, "    "))
}

// skips tells what was skipped: in full where that leaves a hole in the verdict,
// and otherwise a line a reason, for often dozens share one.
func (t *textWriter) skips(r *ConformanceReport) {
	groups := skipped(r)
	for _, group := range groups {
		t.holes(group)
	}
	t.notAsked(groups)
}

func (t *textWriter) holes(group skipGroup) {
	n := len(group.results) - len(group.optional())
	if n == 0 {
		return
	}
	t.line("%s", Skipped.Paint(fmt.Sprintf("%s  %s (%s)",
		strings.ToUpper(string(Skipped)), group.reason, count(n, "requirement", "requirements")), bool(t.ink)))
	for _, result := range group.results {
		if result.Required {
			t.line("    %s  %s", result.ID, oneLine(result.Statement))
			t.line("    %*s  %s", len(result.ID), "", t.ink.paint(faint, result.URL()))
		}
	}
	t.line("")
}

// notAsked lists what does not count against the cluster.
func (t *textWriter) notAsked(groups []skipGroup) {
	told := false
	for _, group := range groups {
		ids := group.optional()
		if len(ids) == 0 {
			continue
		}
		if !told {
			t.line("%s", t.ink.paint(bold, "not asked of this cluster"))
			told = true
		}
		t.line("    %s: %s", some(ids), t.ink.paint(faint, group.reason))
	}
	if told {
		t.line("")
	}
}

func (t *textWriter) times(specs []timed) {
	if len(specs) == 0 {
		return
	}
	t.line("%s", t.ink.paint(bold, "where the time went"))
	for _, spec := range specs {
		t.line("%10s  %s  %s", took(spec.Seconds), some(spec.IDs), oneLine(spec.Text))
	}
	t.line("")
}
