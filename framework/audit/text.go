package audit

import (
	"cmp"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/types"

	"rollcall.dev/rollcall/framework/report"
)

// writeText writes the gaps first, then what passes by itself, then the numbers,
// and the verdict as the last line, where a terminal stands when all is written.
func (a *Audit) writeText(p *page) {
	p.line("%s", report.Bold(fmt.Sprintf("DaemonSet %s/%s, %s on the roster, read at %s",
		a.Namespace, a.DaemonSet, plural(len(a.Intended), "node", "nodes"), stamp(a.At)), p.colour))
	faults, legal := groups(a.Causes, false), groups(a.Causes, true)
	if len(faults) > 0 {
		p.heading("gaps")
		p.groups(faults, report.Failed)
	}
	if len(legal) > 0 {
		p.heading("passing by itself, if all goes well")
		p.groups(legal, report.Unknown)
	}
	a.writeFindings(p)
	a.writeVersions(p)
	p.risks(a.Risks)
	a.writeCounters(p)
	for _, note := range a.Notes {
		p.line("  %s", note)
	}
	p.line("")
	p.line("%s", p.paint(a.tone(), a.Verdict()))
}

// Verdict is the audit in a line.
func (a *Audit) Verdict() string {
	if a.Issues.None() {
		return fmt.Sprintf("covered: each of %s is the machine that the roster names, is Ready, and has exactly one Pod, which is Ready", plural(len(a.Intended), "node", "nodes"))
	}
	gaps := len(a.Issues.MissingReady)
	text := fmt.Sprintf("not as the roster means it: %s without a Ready Pod", plural(gaps, "node is", "nodes are"))
	if gaps == 0 {
		text = "not as the roster means it, though every node of it has a Ready Pod"
	}
	if faults := faulty(a.Causes); faults > 0 {
		return text + fmt.Sprintf("; %s to mend", plural(faults, "cause", "causes"))
	}
	return text + "; nothing to mend, all of it passes by itself"
}

func faulty(causes []Cause) int { return len(groups(causes, false)) }

// tone is the colour of an audit.
func (a *Audit) tone() report.Verdict {
	switch {
	case a.Issues.None():
		return report.Passed
	case faulty(a.Causes) == 0:
		return report.Unknown
	default:
		return report.Failed
	}
}

// group is nodes and Pods with the same trouble.
type group struct {
	Cause
	Nodes, Pods []string
}

// groups gathers the causes that are faults, or those that are legal states, by
// what is the matter; the one that most nodes have comes first.
func groups(causes []Cause, legal bool) []group {
	var found []group
	for _, cause := range causes {
		if cause.Legal != legal {
			continue
		}
		i := slices.IndexFunc(found, func(g group) bool { return g.Kind == cause.Kind && g.Summary == cause.Summary })
		if i < 0 {
			i, found = len(found), append(found, group{Cause: cause})
		}
		if cause.Node != "" && !slices.Contains(found[i].Nodes, cause.Node) {
			found[i].Nodes = append(found[i].Nodes, cause.Node)
		}
		if cause.Pod != "" {
			found[i].Pods = append(found[i].Pods, cause.Pod)
		}
	}
	slices.SortStableFunc(found, func(a, b group) int { return cmp.Compare(len(b.Nodes), len(a.Nodes)) })
	return found
}

// Where names the nodes, or the Pods if they have none.
func (g group) Where() string {
	if len(g.Nodes) == 0 {
		return "no node (Pod " + several(g.Pods) + ")"
	}
	return several(g.Nodes)
}

func (p *page) groups(all []group, tone report.Verdict) {
	for _, g := range all {
		p.line("  %s  %s", p.paint(tone, string(g.Kind)), report.Bold(g.Where(), p.colour))
		p.line("      %s", g.Summary)
		if len(g.Pods) > 0 && len(g.Nodes) > 0 {
			p.line("      Pod %s", several(g.Pods))
		}
		for _, evidence := range g.Evidence {
			p.line("      - %s", evidence)
		}
		p.line("      next: %s", g.Next)
	}
}

// namedList is one of the findings.
type namedList struct {
	Name  string
	Items []string
}

// Lists returns the findings by name.
func (i Issues) Lists() []namedList {
	return []namedList{
		{"node_identity_mismatch", i.NodeIdentityMismatch}, {"node_not_ready", i.NodeNotReady},
		{"missing_ready", i.MissingReady}, {"unexpected_owned_nodes", i.UnexpectedOwnedNodes},
		{"multiple_pods", i.MultiplePods}, {"unassigned", texts(i.Unassigned)}, {"unready_pods", texts(i.UnreadyPods)},
	}
}

func texts(uids []types.UID) []string {
	names := make([]string, len(uids))
	for i, uid := range uids {
		names[i] = string(uid)
	}
	return names
}

func (a *Audit) writeFindings(p *page) {
	if a.Issues.None() {
		return
	}
	p.heading("findings")
	var rows []row
	for _, list := range a.Issues.Lists() {
		if len(list.Items) > 0 {
			rows = append(rows, row{"", []string{list.Name, fmt.Sprint(len(list.Items)), several(list.Items)}})
		}
	}
	p.table([]string{"FINDING", "COUNT", "WHERE"}, rows)
}

func (a *Audit) writeVersions(p *page) {
	if len(a.Versions) == 0 {
		return
	}
	p.heading("versions")
	var rows []row
	for _, v := range a.Versions {
		name := cmp.Or(v.Revision, "(no label)")
		if v.Newest {
			name += " (newest)"
		}
		rows = append(rows, row{"", []string{name, fmt.Sprint(v.Pods), fmt.Sprint(v.Ready), fmt.Sprint(v.Restarts)}})
	}
	p.table([]string{"VERSION", "PODS", "READY", "RESTARTS"}, rows)
}

func (p *page) risks(risks []Risk) {
	if len(risks) == 0 {
		return
	}
	p.heading("risks in the spec")
	for _, risk := range risks {
		p.line("  %s  %s", p.paint(report.Unknown, string(risk.Kind)), risk.Text)
		p.line("      next: %s", risk.Next)
	}
}

func (a *Audit) writeCounters(p *page) {
	c := a.Counters
	p.heading("counted")
	p.line("  of %s on the roster, the DaemonSet belongs on %d by its spec, and %d are covered", plural(c.Intended, "node", "nodes"), c.Eligible, c.Covered)
	p.line("  the DaemonSet's own status: desired %d, ready %d", c.Desired, c.Ready)
	if hidden := c.Intended - c.Eligible; hidden > 0 {
		p.line("  %s", p.paint(report.Failed, plural(hidden, "node", "nodes")+" of the roster no counter of the DaemonSet shows"))
	}
}
