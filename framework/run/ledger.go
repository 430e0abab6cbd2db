package run

import (
	"strings"
	"sync"

	"rollcall.dev/rollcall/framework/report"
)

// ledger turns findings into verdicts. A requirement has its verdict once all
// of its specs have ended.
type ledger struct {
	mu      sync.Mutex
	report  *report.ConformanceReport
	index   map[string]int      // ID -> place in report.Results
	checks  map[string][]string // spec -> IDs
	awaited map[string]int      // ID -> specs that have not ended
}

// newLedger opens a report in which nothing is known yet. What is planned
// stands as inconclusive until it is known, so that a report saved at any
// instant is true.
func newLedger(r *report.ConformanceReport, plan *Plan) *ledger {
	l := &ledger{report: r, index: map[string]int{}, checks: map[string][]string{}, awaited: map[string]int{}}
	for i, item := range plan.Items {
		l.index[item.ID] = i
		l.awaited[item.ID] = len(item.Specs)
		for _, spec := range item.Specs {
			l.checks[spec] = append(l.checks[spec], item.ID)
		}
		r.Results = append(r.Results, opening(item))
	}
	return l
}

func opening(item Item) report.Result {
	result := report.Result{
		ID: item.ID, Area: item.Area, Level: item.Level, Statement: item.Statement, Doc: item.URL(),
		Remedy: item.Remedy, Required: item.Required, Verdict: report.Skipped, Reason: item.Skip,
	}
	if item.Skip == "" {
		result.Verdict, result.Reason = report.Unknown, "the run ended before this was known"
	}
	return result
}

// enter adds what a spec found and returns the results that are now complete.
func (l *ledger) enter(found report.Spec) []report.Result {
	l.mu.Lock()
	defer l.mu.Unlock()
	var complete []report.Result
	for _, id := range l.checks[found.Text] {
		result := &l.report.Results[l.index[id]]
		result.Specs = append(result.Specs, found)
		result.Seconds += found.Seconds
		l.awaited[id]--
		if l.awaited[id] == 0 {
			result.Verdict, result.Reason = judge(result.Specs)
			complete = append(complete, *result)
		}
	}
	return complete
}

// judge draws a requirement's verdict from its specs: broken if one says so,
// open if one is open, skipped if one could not check its part, waived if one
// met a known deviation.
func judge(specs []report.Spec) (report.Verdict, string) {
	for _, decisive := range []report.Verdict{report.Failed, report.Unknown, report.Skipped, report.Waived} {
		for _, spec := range specs {
			if spec.Verdict == decisive {
				return decisive, reason(spec)
			}
		}
	}
	return report.Passed, ""
}

func reason(spec report.Spec) string {
	switch spec.Verdict {
	case report.Failed:
		return ""
	case report.Waived: // the deviation; what was seen stands with the spec
		known, _, _ := strings.Cut(spec.Message, "\n")
		return known
	default:
		return spec.Message
	}
}

// with runs f while nothing is entered.
func (l *ledger) with(f func(*report.ConformanceReport)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f(l.report)
}
