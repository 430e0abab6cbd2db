package mutants

import (
	"slices"
	"time"

	"rollcall.dev/rollcall/framework/report"
)

// Outcome is what a run said about one mutant, or about the healed cluster.
type Outcome struct {
	Mutant Mutant
	// Red lists the requirements that failed, Open those without a verdict.
	Red, Open []string
	// Missed lists the requirements that should have failed and did not.
	Missed []string
	// Unrelated lists those that failed and have nothing to do with it.
	Unrelated []string
	// Trouble is why the run came to no verdict; empty if it did.
	Trouble string
	Took    time.Duration
}

// Caught reports whether everything that had to turn red did.
func (o Outcome) Caught() bool { return len(o.Missed) == 0 }

// compare holds a report against what a mutant should turn red.
func compare(mutant Mutant, found *report.ConformanceReport) Outcome {
	return compareRed(mutant, with(found, report.Failed), with(found, report.Unknown))
}

func compareRed(mutant Mutant, red, open []string) Outcome {
	outcome := Outcome{Mutant: mutant, Red: red, Open: open}
	for _, id := range mutant.Expect {
		if !slices.Contains(red, id) {
			outcome.Missed = append(outcome.Missed, id)
		}
	}
	for _, id := range red {
		if !slices.Contains(mutant.focus(), id) {
			outcome.Unrelated = append(outcome.Unrelated, id)
		}
	}
	return outcome
}

// unseen is the outcome of a mutant whose run came to no verdict.
func unseen(mutant Mutant, why error) Outcome {
	return Outcome{Mutant: mutant, Missed: slices.Clone(mutant.Expect), Trouble: why.Error()}
}

// Control is what a run said about the healed cluster.
type Control struct {
	// Red lists the requirements that failed, Open those without a verdict.
	Red, Open []string
	// Skipped lists those that a mutant turned red and that were not checked
	// here: without them the control proves nothing.
	Skipped []string
	Took    time.Duration
}

// Green reports whether the healed cluster keeps what the mutants broke.
func (c Control) Green() bool { return len(c.Red)+len(c.Open)+len(c.Skipped) == 0 }

func control(mutants []Mutant, found *report.ConformanceReport) Control {
	result := Control{Red: with(found, report.Failed), Open: with(found, report.Unknown)}
	// A known deviation of this release is waived on the healed cluster too.
	passed := slices.Concat(with(found, report.Passed), with(found, report.Waived))
	for _, id := range union(mutants, func(m Mutant) []string { return m.Expect }) {
		if !slices.Contains(slices.Concat(passed, result.Red, result.Open), id) {
			result.Skipped = append(result.Skipped, id)
		}
	}
	return result
}

// joined is what the runs on all healed clusters said together. They ran side by
// side.
func joined(controls []Control) Control {
	var whole Control
	for _, c := range controls {
		whole.Red, whole.Open = append(whole.Red, c.Red...), append(whole.Open, c.Open...)
		whole.Skipped = append(whole.Skipped, c.Skipped...)
		whole.Took = max(whole.Took, c.Took)
	}
	return whole
}

func with(found *report.ConformanceReport, verdict report.Verdict) []string {
	var ids []string
	for _, result := range found.Results {
		if result.Verdict == verdict {
			ids = append(ids, result.ID)
		}
	}
	return ids
}

// union gathers what the mutants name, each name once.
func union(mutants []Mutant, of func(Mutant) []string) []string {
	var all []string
	for _, mutant := range mutants {
		all = append(all, of(mutant)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}
