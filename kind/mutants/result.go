package mutants

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"rollcall.dev/rollcall/framework/report"
	"rollcall.dev/rollcall/framework/requirement"
)

// Result is what became of all mutants that were tried.
type Result struct {
	Outcomes []Outcome
	// Waiting are the mutants that were not tried: no spec checks yet what they
	// break, or they do not fit this release of Kubernetes.
	Waiting []Mutant
	// Unbroken lists requirements that a spec checks and no mutant breaks, if all
	// mutants were asked for.
	Unbroken []string
	// Control is the run on the healed cluster; nil if it did not come to it.
	Control *Control
	// Reports is the folder of the reports; empty if it is gone.
	Reports string
}

// OK reports whether every mutant was caught, nothing unrelated turned red, and
// the healed cluster is green.
func (r *Result) OK() bool {
	for _, outcome := range r.Outcomes {
		if !outcome.Caught() || len(outcome.Unrelated) > 0 {
			return false
		}
	}
	return r.Control != nil && r.Control.Green()
}

// ExitCode is 0 if the result is OK, and else that of a cluster that does not
// conform.
func (r *Result) ExitCode() int {
	if r.OK() {
		return report.Conformant.ExitCode()
	}
	return report.NotConformant.ExitCode()
}

func (r *Result) caught() int {
	n := 0
	for _, outcome := range r.Outcomes {
		if outcome.Caught() {
			n++
		}
	}
	return n
}

// Write prints a table of the mutants, what is wrong, and one line that sums
// them up.
func (r *Result) Write(out io.Writer) error {
	table := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(table, "MUTANT\tEXPECTED\tTURNED RED\tVERDICT\tTIME")
	for _, o := range r.Outcomes {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", o.Mutant.Name, list(o.Mutant.Expect), list(o.Red), o.verdict(), seconds(o.Took))
	}
	if c := r.Control; c != nil {
		fmt.Fprintf(table, "(healed)\t%s\t%s\t%s\t%s\n", list(nil), list(c.Red), c.verdict(), seconds(c.Took))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for _, line := range r.faults() {
		fmt.Fprintln(out, line)
	}
	if len(r.Unbroken) > 0 {
		fmt.Fprintln(out, "no mutant breaks:", list(r.Unbroken))
	}
	_, err := fmt.Fprintf(out, "%d caught, %d missed%s\n", r.caught(), len(r.Outcomes)-r.caught(), r.notTried())
	return err
}

func (r *Result) notTried() string {
	if len(r.Waiting) == 0 {
		return ""
	}
	return fmt.Sprintf(", %d not tried: no spec checks what they break, or they do not fit this release", len(r.Waiting))
}

func (o Outcome) verdict() string {
	if o.Caught() {
		return "caught"
	}
	return "missed"
}

func (c Control) verdict() string {
	if c.Green() {
		return "green"
	}
	return "not green"
}

// faults are sentences about all that keeps the result from being OK, and about
// verdicts that stayed open.
func (r *Result) faults() []string {
	var lines []string
	add := func(who, what string, ids []string) {
		if len(ids) > 0 {
			lines = append(lines, fmt.Sprintf("%s: %s %s", who, what, list(ids)))
		}
	}
	for _, o := range r.Outcomes {
		if o.Trouble != "" {
			lines = append(lines, o.Mutant.Name+": "+o.Trouble)
		}
		add(o.Mutant.Name, "did not turn red:", o.Missed)
		add(o.Mutant.Name, "turned red and is unrelated:", o.Unrelated)
		add(o.Mutant.Name, "is left without a verdict:", o.Open)
	}
	if c := r.Control; c != nil {
		add("healed cluster", "is red:", c.Red)
		add("healed cluster", "is left without a verdict:", c.Open)
		add("healed cluster", "was not checked:", c.Skipped)
	}
	if !r.OK() && r.Reports != "" {
		lines = append(lines, "the reports are in "+r.Reports)
	}
	return lines
}

func list(ids []string) string {
	if len(ids) == 0 {
		return "-"
	}
	return strings.Join(ids, " ")
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.0f s", d.Seconds()) }

// highest is the level that a run needs to reach all of the mutants.
func highest(mutants []Mutant, catalogue *requirement.Catalogue) requirement.Level {
	level := requirement.API
	for _, mutant := range mutants {
		if reach := mutant.level(catalogue); reach.Reaches(level) {
			level = reach
		}
	}
	return level
}
