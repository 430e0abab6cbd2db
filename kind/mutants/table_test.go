package mutants

import (
	"slices"
	"strings"
	"testing"

	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/run"
	"rollcall.dev/rollcall/suites"
)

func TestTableNamesAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, mutant := range table {
		if mutant.Name == "" || strings.ContainsAny(mutant.Name, ` "=/`) {
			t.Errorf("%q is no name: it goes into an environment variable, a folder and a label", mutant.Name)
		}
		if seen[mutant.Name] {
			t.Errorf("%s is there twice", mutant.Name)
		}
		seen[mutant.Name] = true
	}
}

func TestTableIsComplete(t *testing.T) {
	for _, mutant := range table {
		edited := mutant.Edit.Anchor != ""
		switch {
		case edited == (mutant.Saboteur != nil):
			t.Errorf("%s must either edit a component or be a saboteur", mutant.Name)
		case edited && (mutant.Edit.File == "" || mutant.Edit.Anchor == "" || !strings.Contains(mutant.Edit.Replacement, awake)):
			t.Errorf("%s: its edit needs a file, an anchor, and a replacement with %s in it", mutant.Name, awake)
		case (mutant.Component == Admission) != (mutant.Saboteur != nil):
			t.Errorf("%s: saboteurs, and they alone, act on admission", mutant.Name)
		}
		if len(mutant.Expect) == 0 {
			t.Errorf("%s expects nothing", mutant.Name)
		}
		if mutant.Area == "" {
			t.Errorf("%s stands in no area", mutant.Name)
		}
		if !slices.Contains(components, mutant.Component) {
			t.Errorf("%s breaks %q, for which there is no actor", mutant.Name, mutant.Component)
		}
	}
}

// Going back to a component costs two restarts more.
func TestTableKeepsComponentsTogether(t *testing.T) {
	var done []Component
	for i, mutant := range table {
		if i > 0 && table[i-1].Component != mutant.Component {
			done = append(done, table[i-1].Component)
		}
		if slices.Contains(done, mutant.Component) {
			t.Errorf("%s stands apart from the other mutants of %s", mutant.Name, mutant.Component)
		}
	}
}

func TestTableFitsTheCatalogue(t *testing.T) {
	catalogue, err := run.Catalogue(suites.All)
	if err != nil {
		t.Fatal(err)
	}
	for _, mutant := range table {
		for _, id := range mutant.focus() {
			checkNamed(t, catalogue, mutant, id)
		}
	}
}

// Whatever a spec checks, a mutant breaks, or it is said why none does.
func TestEveryRequirementIsBroken(t *testing.T) {
	catalogue, err := run.Catalogue(suites.All)
	if err != nil {
		t.Fatal(err)
	}
	none := unbrokenOf(catalogue)
	for _, id := range none {
		if unbroken[id] == "" {
			t.Errorf("no mutant breaks %s", id)
		}
	}
	for id := range unbroken {
		if !slices.Contains(none, id) {
			t.Errorf("%s needs no excuse: a mutant breaks it, or no spec checks it", id)
		}
	}
}

func checkNamed(t *testing.T, catalogue *requirement.Catalogue, mutant Mutant, id string) {
	t.Helper()
	_, ok := catalogue.Get(id)
	switch {
	case !ok:
		t.Errorf("%s names %s, which is not in the catalogue", mutant.Name, id)
	case slices.Contains(mutant.Expect, id) && slices.Contains(mutant.MayFollow, id):
		t.Errorf("%s names %s twice", mutant.Name, id)
	}
}

// The table is spread over everything that a cluster promises.
func TestTableIsSpread(t *testing.T) {
	count := map[string]int{}
	for _, mutant := range table {
		count[mutant.Area]++
	}
	for area, least := range map[string]int{
		"automatic tolerations": 8, "eligibility": 5, "label moves, joins and leaves": 4,
		"status counters and observedGeneration": 6, "Pod identity and recreation": 6,
		"ownership, adoption, orphaning": 3, "rolling update": 6, "OnDelete": 1, "surge": 3,
		"revisions, history limit, rollback": 5, "NoExecute, tolerationSeconds, cancellation": 5,
		"condition-to-taint mapping": 5, "PodGC": 2, "garbage collection": 2, "preemption": 2, "host ports": 1,
		"init order, retry, phase": 8, "sidecar order and termination": 6, "grace period, preStop": 4,
		"QoS": 5, "effective requests": 3, "Job back-off": 3, "drain and budgets": 10, "defaults and validation": 8,
	} {
		if count[area] < least {
			t.Errorf("%d mutants of %s: at least %d are wanted", count[area], area, least)
		}
	}
	if len(table) < 80 {
		t.Errorf("%d mutants: at least 80 are wanted", len(table))
	}
}

func TestSmallSetIsOfTheTable(t *testing.T) {
	for _, name := range small {
		if !slices.ContainsFunc(table, func(m Mutant) bool { return m.Name == name }) {
			t.Errorf("no mutant is called %s", name)
		}
	}
	found, err := Find([]string{smallSet})
	if err != nil || len(found) != len(small) {
		t.Errorf("%s finds %v, %v", smallSet, namesOf(found), err)
	}
}

func TestFindByComponent(t *testing.T) {
	found, err := Find([]string{string(Scheduler)})
	if err != nil || len(found) == 0 || slices.ContainsFunc(found, func(m Mutant) bool { return m.Component != Scheduler }) {
		t.Errorf("found %v, %v", namesOf(found), err)
	}
}

func TestFind(t *testing.T) {
	all, err := Find(nil)
	if err != nil || len(all) != len(table) {
		t.Errorf("no names find %v, %v", namesOf(all), err)
	}
	backwards := []string{table[1].Name, table[0].Name}
	if found, err := Find(backwards); err != nil || !slices.Equal(namesOf(found), []string{table[0].Name, table[1].Name}) {
		t.Errorf("%v finds %v, %v: the table's order saves restarts", backwards, namesOf(found), err)
	}
	if _, err := Find([]string{"forgets-everything"}); err == nil || !strings.Contains(err.Error(), table[0].Name) {
		t.Errorf("an unknown name must be refused with the known ones, not %v", err)
	}
}
