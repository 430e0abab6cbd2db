package mutants

import (
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Edit is a small change to one file of Kubernetes, named as in its repository.
// Files below staging/src are those of modules of their own.
type Edit struct {
	File string
	// Anchor occurs once in the file and makes place for Replacement, in which
	// MUTANT stands for "this mutant is awake", and PICK(MUTANT, a, b) for a in the
	// mutant and b else.
	Anchor, Replacement string
}

const (
	awake  = "MUTANT"
	choice = "PICK"
)

const staging = "staging/src/"

// module is the staging module that the edit changes; "" for Kubernetes itself.
func (e Edit) module() string {
	path, ok := strings.CutPrefix(e.File, staging)
	if !ok {
		return ""
	}
	return strings.Join(strings.SplitN(path, "/", 3)[:2], "/")
}

// stagingModules are those that the mutants change.
func stagingModules(mutants []Mutant) []string {
	modules := union(mutants, func(m Mutant) []string { return []string{m.Edit.module()} })
	return slices.DeleteFunc(modules, func(module string) bool { return module == "" })
}

// source reads a file of Kubernetes.
type source func(name string) ([]byte, error)

// sourceIn reads the files below a folder.
func sourceIn(dir string) source {
	return func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(dir, filepath.FromSlash(name))) }
}

// change applies all edits to the copy of Kubernetes in a folder.
func change(dir string, mutants []Mutant) error {
	files, err := changedFiles(sourceIn(dir), mutants)
	if err != nil {
		return err
	}
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// changedFiles returns every file that the edits of the mutants change or add.
// Its error names each mutant whose edit does not fit the source.
func changedFiles(read source, mutants []Mutant) (map[string]string, error) {
	byFile := map[string][]Mutant{}
	for _, mutant := range mutants {
		if mutant.Edit.File != "" {
			byFile[mutant.Edit.File] = append(byFile[mutant.Edit.File], mutant)
		}
	}
	changed := map[string]string{switchFile: switchSource, switchModFile: switchMod}
	var faults []error
	for name, here := range byFile {
		content, err := changedFile(read, name, here)
		changed[name] = content
		faults = append(faults, err)
	}
	return changed, errors.Join(faults...)
}

func changedFile(read source, name string, mutants []Mutant) (string, error) {
	content, err := read(name)
	if err != nil {
		return "", fmt.Errorf("the file of the mutants %s is missing: %w", strings.Join(namesOf(mutants), ", "), err)
	}
	edited, err := applyEdits(string(content), mutants)
	if err != nil {
		return "", err
	}
	return withImport(name, edited)
}

// spot is where an edit goes.
type spot struct {
	begin, end int
	mutant     Mutant
}

// applyEdits makes all edits of one file. They are placed in the file as it
// was, so that none can hide another's anchor.
func applyEdits(content string, mutants []Mutant) (string, error) {
	spots, err := place(content, mutants)
	if err != nil {
		return "", err
	}
	var edited strings.Builder
	done := 0
	for _, s := range spots {
		edited.WriteString(content[done:s.begin])
		edited.WriteString(s.mutant.replacement())
		done = s.end
	}
	edited.WriteString(content[done:])
	return edited.String(), nil
}

// place finds the spots, the first one first.
func place(content string, mutants []Mutant) ([]spot, error) {
	var spots []spot
	var faults []error
	for _, mutant := range mutants {
		if n := strings.Count(content, mutant.Edit.Anchor); n != 1 {
			faults = append(faults, fmt.Errorf("mutant %s: its anchor is there %d times in %s and must be there once", mutant.Name, n, mutant.Edit.File))
			continue
		}
		begin := strings.Index(content, mutant.Edit.Anchor)
		spots = append(spots, spot{begin, begin + len(mutant.Edit.Anchor), mutant})
	}
	slices.SortFunc(spots, func(a, b spot) int { return a.begin - b.begin })
	for i := 1; i < len(spots); i++ {
		if spots[i].begin < spots[i-1].end {
			faults = append(faults, fmt.Errorf("the mutants %s and %s change the same lines of %s",
				spots[i-1].mutant.Name, spots[i].mutant.Name, spots[i].mutant.Edit.File))
		}
	}
	return spots, errors.Join(faults...)
}

// replacement is the edit with the mutant's name behind it.
func (m Mutant) replacement() string {
	return strings.NewReplacer(
		awake, fmt.Sprintf("%s.Is(%q)", switchPackage, m.Name),
		choice, switchPackage+".Pick",
	).Replace(m.Edit.Replacement)
}

// withImport adds the import of the switch, right behind the package clause:
// there it fits every file, however it imports.
func withImport(name, content string) (string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), name, content, parser.PackageClauseOnly)
	if err != nil {
		return "", err
	}
	clause := int(file.Name.End()) - int(file.FileStart)
	return content[:clause] + "\n\nimport \"" + switchModule + "\"\n" + content[clause:], nil
}
