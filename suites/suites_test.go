package suites

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/run"
)

// specs is listed once: Ginkgo keeps what it was told for the whole process.
var specs = run.Specs(All)

func catalogue(t *testing.T) *requirement.Catalogue {
	t.Helper()
	c, err := run.Catalogue(All)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestEveryRequirementHasASpecOrAReason(t *testing.T) {
	checks := map[string]int{}
	for _, spec := range specs {
		for _, id := range spec.IDs {
			checks[id]++
		}
	}
	for _, r := range catalogue(t).All() {
		switch {
		case r.Checked() && checks[r.ID] == 0:
			t.Errorf("%s claims to be checked, but no spec does", r.ID)
		case !r.Checked() && checks[r.ID] > 0:
			t.Errorf("%s claims not to be checked, but a spec does", r.ID)
		}
	}
}

func TestEverySpecHasARequirement(t *testing.T) {
	c := catalogue(t)
	for _, spec := range specs {
		if len(spec.IDs) == 0 {
			t.Errorf("%q checks no requirement", spec.Text)
		}
		for _, id := range spec.IDs {
			if _, ok := c.Get(id); !ok {
				t.Errorf("%q checks %s, which is not in the catalogue", spec.Text, id)
			}
		}
	}
}

func TestSpecTextsAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, spec := range specs {
		if seen[spec.Text] {
			t.Errorf("two specs are called %q: workers could not tell them apart", spec.Text)
		}
		seen[spec.Text] = true
	}
}

func TestStatementsAreSentences(t *testing.T) {
	for _, r := range catalogue(t).All() {
		if !strings.HasSuffix(r.Statement, ".") {
			t.Errorf("%s: the statement is no sentence: %q", r.ID, r.Statement)
		}
		if !slices.Contains(requirement.Levels, r.Level) {
			t.Errorf("%s: level %q", r.ID, r.Level)
		}
		if !strings.HasPrefix(r.URL(), requirement.Docs) && !strings.HasPrefix(r.URL(), "https://") {
			t.Errorf("%s: %q is no link to documentation", r.ID, r.URL())
		}
	}
}

func TestRequirementsPageIsFresh(t *testing.T) {
	var fresh bytes.Buffer
	if err := catalogue(t).WriteMarkdown(&fresh); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../docs/requirements.md")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(page, fresh.Bytes()) {
		t.Error("docs/requirements.md is stale: run 'make docs'")
	}
}
