package run

import (
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/version"

	"rollcall.dev/rollcall/framework/report"
	"rollcall.dev/rollcall/framework/requirement"
)

func samplePlan(t *testing.T, change func(*requirement.Area), want Selection, missing map[requirement.Capability]string) *Plan {
	t.Helper()
	suites := sampleSuites()
	if change != nil {
		change(&suites[0].Area)
	}
	catalogue, err := Catalogue(suites)
	if err != nil {
		t.Fatal(err)
	}
	specs := []Spec{
		{"sample passes with evidence", []string{"S-01"}}, {"sample fails", []string{"S-02", "S-01"}},
		{"sample doubts", []string{"S-03"}}, {"sample dies", []string{"S-04"}}, {"sample waits for ever", []string{"S-05"}},
	}
	plan, err := NewPlan(catalogue, specs, want, version.MustParseGeneric("1.36.3"), missing)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

func TestPlanSkipsWithReason(t *testing.T) {
	for name, test := range map[string]struct {
		change   func(*requirement.Area)
		want     Selection
		missing  map[requirement.Capability]string
		id       string
		reason   string
		required bool
	}{
		"above the level": {want: Selection{Level: requirement.Namespace}, id: "S-05", reason: "needs level node"},
		"not in focus":    {want: Selection{Level: requirement.Node, Focus: []string{"S-01"}}, id: "S-02", reason: "not selected"},
		"skipped":         {want: Selection{Level: requirement.Node, Skip: []string{"sample"}}, id: "S-01", reason: "not selected"},
		"newer release":   {change: func(a *requirement.Area) { a.Requirements[0].Since = "1.37" }, want: Selection{Level: requirement.Node}, id: "S-01", reason: "since Kubernetes 1.37"},
		"older release":   {change: func(a *requirement.Area) { a.Requirements[0].Until = "1.35" }, want: Selection{Level: requirement.Node}, id: "S-01", reason: "until Kubernetes 1.35"},
		"no spec":         {change: func(a *requirement.Area) { a.Requirements[0].Unchecked = "a kernel of its own" }, want: Selection{Level: requirement.Node}, id: "S-01", reason: "a kernel of its own"},
		"missing capability": {
			change: func(a *requirement.Area) {
				a.Requirements[0].Needs = []requirement.Capability{requirement.TwoNodes}
			},
			want: Selection{Level: requirement.Node}, missing: map[requirement.Capability]string{requirement.TwoNodes: "there is one node"},
			id: "S-01", reason: "there is one node", required: true,
		},
		"nothing against it": {want: Selection{Level: requirement.Outage}, id: "S-05", reason: "", required: true},
	} {
		t.Run(name, func(t *testing.T) {
			plan := samplePlan(t, test.change, test.want, test.missing)
			i := slices.IndexFunc(plan.Items, func(item Item) bool { return item.ID == test.id })
			item := plan.Items[i]
			if !strings.Contains(item.Skip, test.reason) || (test.reason == "") != (item.Skip == "") || item.Required != test.required {
				t.Errorf("skip %q (required %v), want %q (required %v)", item.Skip, item.Required, test.reason, test.required)
			}
		})
	}
}

func TestPlanRefusesUnknownNames(t *testing.T) {
	catalogue, _ := Catalogue(sampleSuites())
	for _, want := range []Selection{{Focus: []string{"S-99"}}, {Skip: []string{"nonsense"}}} {
		if _, err := choose(catalogue, want); err == nil {
			t.Errorf("%+v was accepted", want)
		}
	}
}

func TestBatches(t *testing.T) {
	plan := samplePlan(t, nil, Selection{Level: requirement.Namespace}, nil)
	var texts []string
	for _, batch := range plan.Batches {
		var names []string
		for _, spec := range batch.Specs {
			names = append(names, strings.TrimPrefix(spec.Text, "sample "))
		}
		texts = append(texts, strings.Join(names, "+"))
	}
	slices.Sort(texts)
	if want := []string{"dies", "doubts", "passes with evidence+fails"}; !slices.Equal(texts, want) {
		t.Errorf("batches %q, want %q: specs that start no Pod share a worker, others have their own", texts, want)
	}
}

func TestLedger(t *testing.T) {
	r := &report.ConformanceReport{}
	l := newLedger(r, samplePlan(t, nil, Selection{Level: requirement.Namespace}, nil))
	if r.Results[0].Verdict != report.Unknown {
		t.Errorf("before its specs have ended a requirement is %s, want inconclusive", r.Results[0].Verdict)
	}
	if complete := l.enter(report.Spec{Text: "sample passes with evidence", Verdict: report.Passed}); len(complete) != 0 {
		t.Errorf("S-01 has another spec, but is complete: %v", complete)
	}
	complete := l.enter(report.Spec{Text: "sample fails", Verdict: report.Failed})
	if len(complete) != 2 {
		t.Fatalf("want S-01 and S-02 complete, got %v", complete)
	}
	for _, result := range complete {
		if result.Verdict != report.Failed {
			t.Errorf("%s is %s, want failed: one of its specs failed", result.ID, result.Verdict)
		}
	}
	if r.Results[4].Verdict != report.Skipped || r.Results[4].Reason == "" {
		t.Errorf("S-05 is above the level: %+v", r.Results[4])
	}
}

func TestJudgeTakesTheWorstSpec(t *testing.T) {
	v := func(verdicts ...report.Verdict) (specs []report.Spec) {
		for _, verdict := range verdicts {
			specs = append(specs, report.Spec{Verdict: verdict, Message: string(verdict)})
		}
		return specs
	}
	for _, test := range []struct {
		specs []report.Spec
		want  report.Verdict
	}{
		{v(report.Passed, report.Passed), report.Passed},
		{v(report.Passed, report.Skipped), report.Skipped},
		{v(report.Skipped, report.Unknown, report.Passed), report.Unknown},
		{v(report.Passed, report.Waived), report.Waived},
		{v(report.Waived, report.Failed), report.Failed},
		{v(report.Unknown, report.Failed, report.Skipped), report.Failed},
	} {
		if got, _ := judge(test.specs); got != test.want {
			t.Errorf("%v gives %s, want %s", test.specs, got, test.want)
		}
	}
}

func TestSpecsThatChangeNodesRunAfterAllOthers(t *testing.T) {
	simulated := func(area *requirement.Area) { area.Requirements[3].Level = requirement.Simulated }
	plan := samplePlan(t, simulated, Selection{Level: requirement.Outage}, nil)
	var phases []Phase
	for _, batch := range plan.Batches {
		phases = append(phases, batch.Phase)
	}
	if !slices.IsSorted(phases) || phases[len(phases)-1] != Alone || !slices.Contains(phases, Adding) || phases[0] != Beside {
		t.Errorf("phases %v", phases)
	}
}
