package mutants

import (
	"context"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"rollcall.dev/rollcall/kind/host"
	"rollcall.dev/rollcall/kind/nodeimage"
)

const sample = `// Package sample is one.
package sample // import "sample"

import "fmt"

func first() bool  { return 1 < 2 }
func second() bool { return 2 < 3 }

var _ = fmt.Sprint
`

func edit(name, anchor, replacement string) Mutant {
	return Mutant{Name: name, Edit: Edit{File: "sample.go", Anchor: anchor, Replacement: replacement}}
}

func sampleOnly(name string) ([]byte, error) {
	if name != "sample.go" {
		return nil, os.ErrNotExist
	}
	return []byte(sample), nil
}

func TestEditsStandBehindTheirNames(t *testing.T) {
	files, err := changedFiles(sampleOnly, []Mutant{
		edit("b", "return 2 < 3", "return 2 < 3 != MUTANT"),
		edit("a", "return 1 < 2", "return !MUTANT && 1 < 2"),
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		`func first() bool  { return !rollcallmutant.Is("a") && 1 < 2 }`,
		`func second() bool { return 2 < 3 != rollcallmutant.Is("b") }`,
	} {
		if !strings.Contains(files["sample.go"], line) {
			t.Errorf("missing %s in:\n%s", line, files["sample.go"])
		}
	}
	checkGo(t, "sample.go", files["sample.go"])
	checkGo(t, switchFile, files[switchFile])
}

func TestEditsChooseBetweenValues(t *testing.T) {
	files, err := changedFiles(sampleOnly, []Mutant{edit("a", "return 1 < 2", "return PICK(MUTANT, 1, 2) < PICK[int](MUTANT, 3, 4)")})
	if want := `return rollcallmutant.Pick(rollcallmutant.Is("a"), 1, 2) < rollcallmutant.Pick[int](rollcallmutant.Is("a"), 3, 4)`; err != nil || !strings.Contains(files["sample.go"], want) {
		t.Errorf("%v\n%s", err, files["sample.go"])
	}
}

func TestEditsOfTheStagingAreaNameTheirModule(t *testing.T) {
	for file, want := range map[string]string{
		"pkg/kubelet/kubelet.go":                          "",
		"staging/src/k8s.io/kubectl/pkg/drain/filters.go": "k8s.io/kubectl",
	} {
		if got := (Edit{File: file}).module(); got != want {
			t.Errorf("%s is of module %q", file, got)
		}
	}
}

func TestEditsThatDoNotFitAreNamed(t *testing.T) {
	for what, mutants := range map[string][]Mutant{
		"mutant gone: its anchor is there 0 times in sample.go":    {edit("gone", "return 3", "MUTANT")},
		"mutant vague: its anchor is there 2 times in sample.go":   {edit("vague", "bool", "MUTANT")},
		"mutants one and two change the same lines of sample.go":   {edit("one", "func first() bool", "MUTANT"), edit("two", "first() bool  {", "MUTANT")},
		"the file of the mutants lost is missing":                  {{Name: "lost", Edit: Edit{File: "lost.go", Anchor: "a", Replacement: "MUTANT"}}},
		"mutant also-gone: its anchor is there 0 times in sample.": {edit("gone", "x", "MUTANT"), edit("also-gone", "y", "MUTANT")},
	} {
		if _, err := changedFiles(sampleOnly, mutants); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("want an error with %q, not %v", what, err)
		}
	}
}

// checkGo checks that a changed file is Go, and that it imports the switch once.
func checkGo(t *testing.T, name, content string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, content, parser.SkipObjectResolution)
	if err != nil {
		t.Fatalf("%s is no longer Go: %v", name, err)
	}
	if name == switchFile {
		return
	}
	if n := imports(file, switchModule); n != 1 {
		t.Errorf("%s imports the switch %d times", name, n)
	}
}

func imports(file *ast.File, path string) int {
	n := 0
	for _, spec := range file.Imports {
		if spec.Path.Value == strconv.Quote(path) {
			n++
		}
	}
	return n
}

// The table is held against the sources of all releases that are promised to
// work, as far as this machine has them.
func TestTableFitsKubernetes(t *testing.T) {
	for _, version := range []string{nodeimage.DefaultVersion, "v1.36.3"} {
		t.Run(version, func(t *testing.T) {
			mutants, _ := fitting(version, table)
			files, err := changedFiles(cachedSource(t, version), mutants)
			if err != nil {
				t.Fatal(err)
			}
			for name, content := range files {
				if strings.HasSuffix(name, ".go") {
					checkGo(t, name, content)
				}
			}
		})
	}
}

// cachedSource reads the files of a release from the module cache, those of the
// staging area from their modules.
func cachedSource(t *testing.T, version string) source {
	t.Helper()
	dirs := map[string]string{}
	for _, module := range append(stagingModules(table), "") {
		path, at := module, "v0"+strings.TrimPrefix(version, "v1")
		if module == "" {
			path, at = "k8s.io/kubernetes", version
		}
		dir, err := cachedModule(t.Context(), path+"@"+at)
		if err != nil {
			t.Skipf("no source of Kubernetes %s here: %v", version, err)
		}
		dirs[module] = dir
	}
	return func(name string) ([]byte, error) {
		module := Edit{File: name}.module()
		return sourceIn(dirs[module])(strings.TrimPrefix(name, staging+module+"/"))
	}
}

// cachedModule is where the module cache has a module. It is not downloaded for
// a test.
func cachedModule(ctx context.Context, module string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	answer, err := host.Command{
		Args: []string{"go", "mod", "download", "-json", module},
		Dir:  os.TempDir(), Env: []string{"GOPROXY=off", "GOFLAGS=-mod=mod"},
	}.Run(ctx)
	var found struct{ Dir, Error string }
	if jsonErr := json.Unmarshal([]byte(answer), &found); jsonErr == nil && found.Error != "" {
		return "", errors.New(found.Error)
	}
	return found.Dir, err
}
