package nodeimage

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestVariantReplacesWhatItChangesAndNothingElse(t *testing.T) {
	const gomod = "module rollcall.dev/rollcall/kind/binaries\n\ngo 1.26.0\n\nrequire k8s.io/kubernetes v1.37.2\n\nreplace (\n\tk8s.io/api => k8s.io/api v0.37.2\n\tk8s.io/kubectl => k8s.io/kubectl v0.37.2\n)\n"
	dir, out := t.TempDir(), t.TempDir()
	for name, content := range map[string]string{"go.mod": gomod, "go.sum": "sums\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := (Module{Dir: dir}).writeModFile(filepath.Join(out, "go.mod"), "/copy/kubernetes", Variant{Staging: []string{"k8s.io/kubectl"}, Added: []string{"example.com/switch"}}); err != nil {
		t.Fatal(err)
	}
	file, err := readGoMod(filepath.Join(out, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	replaced := map[string]string{}
	for _, replace := range file.Replace {
		replaced[replace.Old.Path] = strings.TrimSpace(replace.New.Path + " " + replace.New.Version)
	}
	want := map[string]string{
		"k8s.io/kubernetes":  "/copy/kubernetes",
		"k8s.io/api":         "k8s.io/api v0.37.2",
		"k8s.io/kubectl":     "/copy/kubernetes/staging/src/k8s.io/kubectl",
		"example.com/switch": "/copy/kubernetes/staging/src/example.com/switch",
	}
	if !maps.Equal(replaced, want) {
		t.Errorf("replaced: %v", replaced)
	}
	if requiredVersion(file, "example.com/switch") == "" {
		t.Error("what is added is not required")
	}
	if sums, err := os.ReadFile(filepath.Join(out, "go.sum")); err != nil || string(sums) != "sums\n" {
		t.Errorf("go.sum is %q, %v", sums, err)
	}
}
