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
		edited := mutant.Edit != Edit{}
		switch {
		case edited == (mutant.Saboteur != nil):
			t.Errorf("%s must either edit a component or be a saboteur", mutant.Name)
		case edited && (mutant.Edit.File == "" || mutant.Edit.Anchor == "" || !strings.Contains(mutant.Edit.Replacement, awake)):
			t.Errorf("%s: its edit needs a file, an anchor, and a replacement with %s in it", mutant.Name, awake)
		case (mutant.Component == Admission) != (mutant.Saboteur != nil):
			t.Errorf("%s: saboteurs, and they alone, act on admission", mutant.Name)
		}
		if len(mutant.Expect) == 0 || len(mutant.Run) == 0 {
			t.Errorf("%s expects nothing or runs nothing", mutant.Name)
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
		reached, err := catalogue.Match(mutant.Run)
		if err != nil {
			t.Errorf("%s: %v", mutant.Name, err)
			continue
		}
		for _, id := range slices.Concat(mutant.Expect, mutant.MayFollow) {
			checkReached(t, catalogue, mutant, id, reached)
		}
	}
}

func checkReached(t *testing.T, catalogue *requirement.Catalogue, mutant Mutant, id string, reached []string) {
	t.Helper()
	found, ok := catalogue.Get(id)
	switch {
	case !ok:
		t.Errorf("%s names %s, which is not in the catalogue", mutant.Name, id)
	case !found.Checked():
		t.Errorf("%s names %s, which no spec checks", mutant.Name, id)
	case !slices.Contains(reached, id):
		t.Errorf("%s names %s, which its run leaves out", mutant.Name, id)
	case !mutant.level().Reaches(found.Level):
		t.Errorf("%s names %s, which needs level %s", mutant.Name, id, found.Level)
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
