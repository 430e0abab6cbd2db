package report

import (
	"slices"
	"strings"

	"rollcall.dev/rollcall/framework/requirement"
)

// Verdicts lists the verdicts in the order in which they are shown.
var Verdicts = []Verdict{Passed, Failed, Unknown, Skipped, Waived}

// URL is the address of the page that promises the behaviour.
func (r Result) URL() string { return requirement.Requirement{Doc: r.Doc}.URL() }

// Seen is why a requirement has its verdict: the reason, and what each spec
// that did not pass has to say. It is empty for a requirement that passed.
func (r Result) Seen() string {
	var parts []string
	if r.Reason != "" && !r.saidBySpec() {
		parts = append(parts, r.Reason)
	}
	for _, spec := range r.Specs {
		if spec.Verdict != Passed {
			parts = append(parts, spec.seen())
		}
	}
	return clean(strings.Join(parts, "\n\n"))
}

// saidBySpec reports whether the reason is what a spec has to say anyway.
func (r Result) saidBySpec() bool {
	return slices.ContainsFunc(r.Specs, func(s Spec) bool { return s.Verdict != Passed && strings.HasPrefix(s.Message, r.Reason) })
}

func (s Spec) seen() string {
	lines := []string{s.Text + ":"}
	if message := strings.Trim(s.Message, "\n"); message != "" {
		lines = append(lines, message)
	}
	for _, line := range s.Evidence {
		lines = append(lines, "- "+line)
	}
	return strings.Join(lines, "\n")
}
