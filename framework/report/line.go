package report

import (
	"fmt"
	"strings"
	"time"
)

// maxNamed is how many requirements the one-line verdict names; a termination
// message holds 4096 bytes and a reader less.
const maxNamed = 5

// Line is the verdict in one line, such as "conformant: 61 passed, 0 failed, 0
// inconclusive, 3 skipped (level namespace, kubernetes v1.37.2, 2m14s)".
func (r *ConformanceReport) Line() string {
	head := string(r.Conclusion)
	if head == "" {
		head = "unfinished"
	}
	if r.Conclusion == CouldNotRun && r.Counts == (Counts{}) {
		return oneLine(fmt.Sprintf("%s: %s (%s)", head, r.Reason, r.setting()))
	}
	line := fmt.Sprintf("%s: %s (%s)", head, r.Counts, r.setting())
	if why := r.why(); why != "" {
		line += ": " + why
	}
	return oneLine(line)
}

// Duration is how long the run took; zero while it has not ended.
func (r *ConformanceReport) Duration() time.Duration {
	if r.Run.Finished == nil {
		return 0
	}
	return r.Run.Finished.Sub(r.Run.Started.Time)
}

// String lists the counts; waived requirements are named only if there are any.
func (c Counts) String() string {
	text := fmt.Sprintf("%d passed, %d failed, %d inconclusive, %d skipped",
		c.Passed, c.Failed, c.Inconclusive, c.Skipped)
	if c.Waived > 0 {
		text += fmt.Sprintf(", %d waived", c.Waived)
	}
	return text
}

// Total is how many requirements were counted.
func (c Counts) Total() int {
	return c.Passed + c.Failed + c.Inconclusive + c.Skipped + c.Waived
}

// Of returns the count of one verdict.
func (c Counts) Of(verdict Verdict) int {
	switch verdict {
	case Passed:
		return c.Passed
	case Failed:
		return c.Failed
	case Skipped:
		return c.Skipped
	case Waived:
		return c.Waived
	default:
		return c.Inconclusive
	}
}

// setting is what the verdict is about: level, version and duration, as far as
// they are known.
func (r *ConformanceReport) setting() string {
	parts := []string{"level " + string(r.Run.Level)}
	if r.Cluster.Version != "" {
		parts = append(parts, "kubernetes "+r.Cluster.Version)
	}
	if took := r.Duration(); took > 0 {
		parts = append(parts, took.Round(time.Second).String())
	}
	return strings.Join(parts, ", ")
}

// why says what the counts do not: which requirements, or what stopped the run.
func (r *ConformanceReport) why() string {
	switch r.Conclusion {
	case NotConformant:
		return "broken: " + some(r.idsOf(Failed))
	case Inconclusive:
		return "open: " + some(r.idsOf(Unknown))
	case Conformant:
		return ""
	default:
		return r.Reason
	}
}

// idsOf returns the requirements with a verdict, in the catalogue's order.
func (r *ConformanceReport) idsOf(verdict Verdict) []string {
	var ids []string
	for _, result := range r.Results {
		if result.Verdict == verdict {
			ids = append(ids, result.ID)
		}
	}
	return ids
}

// some joins the first few names and counts the rest.
func some(names []string) string {
	if len(names) <= maxNamed {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:maxNamed], ", "), len(names)-maxNamed)
}

func oneLine(text string) string { return strings.Join(strings.Fields(clean(text)), " ") }
