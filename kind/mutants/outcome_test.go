package mutants

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rollcall.dev/rollcall/framework/report"
)

func reportOf(verdicts ...any) *report.ConformanceReport {
	r := &report.ConformanceReport{}
	for i := 0; i < len(verdicts); i += 2 {
		r.Results = append(r.Results, report.Result{ID: verdicts[i].(string), Verdict: verdicts[i+1].(report.Verdict)})
	}
	return r
}

var forgetful = Mutant{Name: "forgetful", Expect: []string{"A-1", "A-2"}, MayFollow: []string{"A-3"}}

func TestCompare(t *testing.T) {
	got := compare(forgetful, reportOf("A-1", report.Failed, "A-2", report.Unknown, "A-3", report.Failed, "A-4", report.Failed, "A-5", report.Passed))
	want := Outcome{
		Mutant: forgetful,
		Red:    []string{"A-1", "A-3", "A-4"}, Open: []string{"A-2"},
		Missed: []string{"A-2"}, Unrelated: []string{"A-4"},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(Mutant{})); diff != "" {
		t.Error(diff)
	}
}

func TestControlNeedsWhatTheMutantsBroke(t *testing.T) {
	for _, each := range []struct {
		report *report.ConformanceReport
		green  bool
	}{
		{reportOf("A-1", report.Passed, "A-2", report.Passed, "A-9", report.Skipped), true},
		{reportOf("A-1", report.Passed, "A-2", report.Waived), true},
		{reportOf("A-1", report.Passed, "A-2", report.Skipped), false},
		{reportOf("A-1", report.Passed, "A-2", report.Unknown), false},
		{reportOf("A-1", report.Passed, "A-2", report.Passed, "A-9", report.Failed), false},
	} {
		if got := control([]Mutant{forgetful}, each.report); got.Green() != each.green {
			t.Errorf("%v: %+v", each.report.Results, got)
		}
	}
}

func TestResultIsATableAndASum(t *testing.T) {
	result := &Result{
		Outcomes: []Outcome{
			{Mutant: forgetful, Red: []string{"A-1", "A-2"}, Took: 42 * time.Second},
			{Mutant: Mutant{Name: "sly", Expect: []string{"B-1"}}, Red: []string{"C-1"}, Missed: []string{"B-1"}, Unrelated: []string{"C-1"}, Took: 7 * time.Second},
		},
		Control: &Control{Took: 30 * time.Second},
		Reports: "out",
	}
	var out bytes.Buffer
	if err := result.Write(&out); err != nil {
		t.Fatal(err)
	}
	want := `MUTANT     EXPECTED  TURNED RED  VERDICT  TIME
forgetful  A-1 A-2   A-1 A-2     caught   42 s
sly        B-1       C-1         missed   7 s
(healed)   -         -           green    30 s
sly: did not turn red: B-1
sly: turned red and is unrelated: C-1
the reports are in out
1 caught, 1 missed
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
	if result.OK() || result.ExitCode() != 1 {
		t.Errorf("exit code %d", result.ExitCode())
	}
}

func TestResultWithoutControlIsNotOK(t *testing.T) {
	result := &Result{Outcomes: []Outcome{{Mutant: forgetful, Red: forgetful.Expect}}}
	if result.OK() {
		t.Error("nobody has seen the healed cluster")
	}
}

func TestRunWithoutAVerdictIsAMiss(t *testing.T) {
	outcome := unseen(forgetful, errors.New("no API server"))
	if outcome.Caught() {
		t.Error("it counts as caught")
	}
	result := &Result{Outcomes: []Outcome{outcome}}
	if diff := cmp.Diff([]string{"forgetful: no API server", "forgetful: did not turn red: A-1 A-2"}, result.faults()); diff != "" {
		t.Error(diff)
	}
}

func TestLogbookKeepsTheOrderOfTheTable(t *testing.T) {
	result := &Result{}
	book := newLogbook(Options{Clusters: []string{"one", "two"}}, result, 2)
	for _, i := range []int{1, 0} {
		if err := book.enter("one", Outcome{Mutant: table[i]}); err != nil {
			t.Fatal(err)
		}
	}
	if got := result.Outcomes[0].Mutant.Name; got != table[0].Name {
		t.Errorf("%s comes first", got)
	}
}

func TestJoinedControlsAreGreenOnlyTogether(t *testing.T) {
	whole := joined([]Control{{Took: time.Second}, {Red: []string{"A-1"}, Took: 3 * time.Second}})
	if whole.Green() || whole.Took != 3*time.Second {
		t.Errorf("%+v", whole)
	}
}
