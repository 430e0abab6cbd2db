package report

import "testing"

func TestConclude(t *testing.T) {
	required := func(v Verdict) Result { return Result{Verdict: v, Required: true} }
	for name, c := range map[string]struct {
		before  Conclusion
		results []Result
		want    Conclusion
		code    int
	}{
		"all passed":                 {"", []Result{required(Passed)}, Conformant, 0},
		"waived beside passed":       {"", []Result{required(Passed), required(Waived)}, Conformant, 0},
		"optional skip":              {"", []Result{required(Passed), {Verdict: Skipped}}, Conformant, 0},
		"failed":                     {"", []Result{required(Passed), required(Failed)}, NotConformant, 1},
		"failed beats inconclusive":  {"", []Result{required(Unknown), required(Failed)}, NotConformant, 1},
		"required skip":              {"", []Result{required(Passed), required(Skipped)}, Partial, 2},
		"nothing checked":            {"", nil, Partial, 2},
		"only waived":                {"", []Result{required(Waived)}, Partial, 2},
		"inconclusive":               {"", []Result{required(Passed), required(Unknown)}, Inconclusive, 2},
		"inconclusive beats partial": {"", []Result{required(Skipped), required(Unknown)}, Inconclusive, 2},
		"a verdict of no known kind": {"", []Result{required("maybe")}, Inconclusive, 2},
		"a run that could not begin": {CouldNotRun, []Result{required(Unknown)}, CouldNotRun, 3},
		"an interrupted run":         {Interrupted, []Result{required(Passed)}, Interrupted, 4},
		"an earlier conclusion":      {Conformant, []Result{required(Failed)}, NotConformant, 1},
	} {
		t.Run(name, func(t *testing.T) {
			r := ConformanceReport{Conclusion: c.before, Results: c.results}
			r.Conclude()
			if r.Conclusion != c.want || r.Conclusion.ExitCode() != c.code {
				t.Errorf("want %q and exit code %d, got %q and %d", c.want, c.code, r.Conclusion, r.Conclusion.ExitCode())
			}
			if r.Counts.Total() != len(c.results) {
				t.Errorf("%d results were counted as %d", len(c.results), r.Counts.Total())
			}
		})
	}
}

func TestNoConclusionIsNoSuccess(t *testing.T) {
	if code := Conclusion("").ExitCode(); code != 3 {
		t.Errorf("a report without a conclusion has exit code %d, want 3", code)
	}
}
