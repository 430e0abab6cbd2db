package audit

import (
	"fmt"

	"rollcall.dev/rollcall/framework/report"
)

// writeText writes the table, the DaemonSets with most gaps first, then each one
// that has something to tell, and the verdict as the last line.
func (s *Survey) writeText(p *page) {
	p.line("%s", report.Bold(fmt.Sprintf("%s on %s, read at %s",
		plural(len(s.DaemonSets), "DaemonSet", "DaemonSets"), plural(s.Nodes, "node", "nodes"), stamp(s.At)), p.colour))
	p.line("")
	s.writeTable(p)
	for _, d := range s.DaemonSets {
		d.writeText(p)
	}
	for _, note := range s.Notes {
		p.line("")
		p.line("%s", note)
	}
	p.line("")
	p.line("%s", p.paint(s.tone(), s.Verdict()))
}

func (s *Survey) writeTable(p *page) {
	header := []string{"DAEMONSET", "POOL", "NODES", "DESIRED", "READY", "GAPS", "UNCOUNTED", "VERSIONS"}
	var rows []row
	for _, d := range s.DaemonSets {
		for _, pool := range d.Pools {
			rows = append(rows, row{toneOf(pool), cellsOf(d, pool)})
		}
	}
	if s.PoolLabel == "" {
		header = append(header[:1], header[2:]...)
		for i := range rows {
			rows[i].cells = append(rows[i].cells[:1], rows[i].cells[2:]...)
		}
	}
	p.table(header, rows)
}

func toneOf(pool Pool) report.Verdict {
	switch {
	case len(pool.Gaps) > 0:
		return report.Failed
	case len(pool.Uncounted) > 0:
		return report.Unknown
	default:
		return ""
	}
}

func cellsOf(d Surveyed, pool Pool) []string {
	name := pool.Pool
	if name == "" {
		name = "(none)"
	}
	return []string{
		d.String(), name, fmt.Sprint(pool.Nodes), fmt.Sprint(pool.Desired), fmt.Sprint(pool.Ready),
		fmt.Sprint(len(pool.Gaps)), fmt.Sprint(len(pool.Uncounted)), pool.DescribeVersions(),
	}
}

// writeText tells what the table cannot.
func (d Surveyed) writeText(p *page) {
	if d.Unjudged == "" && len(d.Causes)+len(d.Hidden)+len(d.Risks) == 0 {
		return
	}
	p.heading("%s", d)
	if d.Unjudged != "" {
		p.line("  %s  %s", p.paint(report.Unknown, "not judged"), d.Unjudged)
	}
	p.groups(groups(d.Causes, false), report.Failed)
	p.groups(groups(d.Causes, true), report.Unknown)
	for _, hidden := range d.Hidden {
		p.line("  %s  %s", p.paint(report.Unknown, "uncounted"), several(hidden.Nodes))
		p.line("      %s", hidden.Because)
	}
	for _, risk := range d.Risks {
		p.line("  %s  %s", p.paint(report.Unknown, string(risk.Kind)), risk.Text)
		p.line("      next: %s", risk.Next)
	}
}

// Verdict is the survey in a line.
func (s *Survey) Verdict() string {
	gaps, with, unjudged, uncounted := 0, 0, 0, 0
	for _, d := range s.DaemonSets {
		gaps += d.Gaps()
		if d.Gaps() > 0 {
			with++
		}
		if d.Unjudged != "" {
			unjudged++
		}
		if len(d.Hidden) > 0 {
			uncounted++
		}
	}
	text := "no gaps: each DaemonSet has a Ready Pod on every node on which it belongs by its spec"
	if gaps > 0 {
		text = fmt.Sprintf("%s in %s", plural(gaps, "gap", "gaps"), plural(with, "DaemonSet", "DaemonSets"))
	}
	if uncounted > 0 {
		text += fmt.Sprintf("; %s of which no counter shows some nodes: see that it is meant so", plural(uncounted, "DaemonSet", "DaemonSets"))
	}
	if unjudged > 0 {
		text += fmt.Sprintf("; %d could not be judged", unjudged)
	}
	return text
}

func (s *Survey) tone() report.Verdict {
	switch s.ExitCode() {
	case 0:
		return report.Passed
	case 1:
		return report.Failed
	default:
		return report.Unknown
	}
}

// Tone is the colour of the survey's verdict, named as the style sheet does.
func (s *Survey) Tone() string { return string(s.tone()) }

func (s *Survey) htmlPage() string { return "survey-page" }
