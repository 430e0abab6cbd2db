package suites

import (
	"os"
	"regexp"
	"testing"
)

// The page on common beliefs must send nobody to a requirement that is not there.
func TestSemanticsPageNamesRequirements(t *testing.T) {
	page, err := os.ReadFile("../docs/semantics.md")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, r := range catalogue(t).All() {
		known[r.ID] = true
	}
	for _, id := range regexp.MustCompile(`\b[A-Z]{3,4}-\d+[a-z]?\b`).FindAllString(string(page), -1) {
		if !known[id] {
			t.Errorf("docs/semantics.md names %s, which the catalogue does not hold", id)
		}
	}
}
