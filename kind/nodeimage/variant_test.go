package nodeimage

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestVariantReplacesKubernetesAndNothingElse(t *testing.T) {
	const gomod = "module rollcall.dev/rollcall/kind/binaries\n\ngo 1.26.0\n\nrequire k8s.io/kubernetes v1.37.2\n\nreplace k8s.io/api => k8s.io/api v0.37.2\n"
	dir, out := t.TempDir(), t.TempDir()
	for name, content := range map[string]string{"go.mod": gomod, "go.sum": "sums\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := (Module{Dir: dir}).writeModFile(filepath.Join(out, "go.mod"), "/copy/kubernetes"); err != nil {
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
	if len(replaced) != 2 || replaced["k8s.io/kubernetes"] != "/copy/kubernetes" || replaced["k8s.io/api"] != "k8s.io/api v0.37.2" {
		t.Errorf("replaced: %v", replaced)
	}
	if sums, err := os.ReadFile(filepath.Join(out, "go.sum")); err != nil || string(sums) != "sums\n" {
		t.Errorf("go.sum is %q, %v", sums, err)
	}
}
