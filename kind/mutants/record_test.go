package mutants

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rollcall.dev/rollcall/framework/run"
	"rollcall.dev/rollcall/suites"
)

// first is a mutant of the table whose requirements all have specs.
func first(t *testing.T) Mutant {
	t.Helper()
	found, err := Find([]string{"forgets-disk-pressure-toleration"})
	if err != nil {
		t.Fatal(err)
	}
	return found[0]
}

func TestRecordsCountRunsInARow(t *testing.T) {
	mutant := first(t)
	caught, missed := compareRed(mutant, mutant.Expect, nil), compareRed(mutant, nil, mutant.Expect)
	file := filepath.Join(t.TempDir(), "mutants.json")
	for i, each := range []struct {
		outcome Outcome
		inARow  int
	}{{caught, 1}, {caught, 2}, {missed, 0}, {caught, 1}} {
		each.outcome.Took = 12345 * time.Millisecond
		if err := keep(file, each.outcome); err != nil {
			t.Fatal(err)
		}
		records, err := readRecords(file)
		if err != nil || len(records) != 1 || records[0].InARow != each.inARow || records[0].Seconds != 12 {
			t.Errorf("after %d runs: %+v, %v", i+1, records, err)
		}
	}
}

func TestMarkdownTellsWhatBecameOfEachMutant(t *testing.T) {
	catalogue, err := run.Catalogue(suites.All)
	if err != nil {
		t.Fatal(err)
	}
	mutant := first(t)
	for want, records := range map[string][]record{
		"| TOL-01 | caught (2) | 9 s |": {{Mutant: mutant.Name, Red: []string{"TOL-01"}, Seconds: 9, InARow: 2}},
		"| TOL-02 | missed | 9 s |":     {{Mutant: mutant.Name, Red: []string{"TOL-02"}, Seconds: 9}},
		"|  | not run |  |":             nil,
	} {
		row := "| " + mutant.Name + " | kube-controller-manager | TOL-01 " + want + "\n"
		if page := markdown(records, catalogue); !strings.Contains(page, row) {
			t.Errorf("no row %q in:\n%s", row, page)
		}
	}
}
