package report

import "fmt"

// Conclude counts the verdicts and draws the conclusion from them. It leaves a
// conclusion alone that says that the run could not run or was interrupted.
func (r *ConformanceReport) Conclude() {
	r.Counts = Counts{}
	open := 0
	for _, result := range r.Results {
		r.Counts.add(result.Verdict)
		if result.Verdict == Skipped && result.Required {
			open++
		}
	}
	if r.Conclusion == CouldNotRun || r.Conclusion == Interrupted {
		return
	}
	r.Conclusion, r.Reason = r.Counts.conclusion(open)
}

func (c *Counts) add(verdict Verdict) {
	switch verdict {
	case Passed:
		c.Passed++
	case Failed:
		c.Failed++
	case Skipped:
		c.Skipped++
	case Waived:
		c.Waived++
	default:
		c.Inconclusive++
	}
}

func (c Counts) conclusion(open int) (Conclusion, string) {
	switch {
	case c.Failed > 0:
		return NotConformant, count(c.Failed, "requirement is", "requirements are") + " broken"
	case c.Inconclusive > 0:
		return Inconclusive, count(c.Inconclusive, "verdict is", "verdicts are") + " open"
	case open > 0:
		return Partial, count(open, "requirement", "requirements") + " could not be checked"
	case c.Passed == 0:
		return Partial, "nothing was checked"
	default:
		return Conformant, ""
	}
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// ExitCode is the documented exit code of a conclusion: 0 conformant, 1 not
// conformant, 2 partial or inconclusive, 3 could not run, 4 interrupted.
func (c Conclusion) ExitCode() int {
	switch c {
	case Conformant:
		return 0
	case NotConformant:
		return 1
	case Partial, Inconclusive:
		return 2
	case Interrupted:
		return 4
	default:
		return 3
	}
}
