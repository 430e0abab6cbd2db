package report

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestDirectoryKeepsEveryFormat(t *testing.T) {
	sink := Directory{Path: filepath.Join(t.TempDir(), "made", "on the way")}
	if err := sink.Save(t.Context(), allGreen()); err != nil {
		t.Fatal(err)
	}
	if got := filesIn(t, sink.Path); len(got) != 1 || got[0] != "report.json" {
		t.Errorf("after Save there is %q, want report.json alone", got)
	}
	if err := sink.Finish(t.Context(), everyVerdict()); err != nil {
		t.Fatal(err)
	}
	if got := filesIn(t, sink.Path); len(got) != len(Formats) {
		t.Errorf("after Finish there is %q, want every format and no temporary file", got)
	}
	if got := readReport(t, sink.Path); got.Conclusion != NotConformant {
		t.Errorf("report.json is not the latest: %s", got.Line())
	}
}

func TestFailedRenameLeavesTheOldFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report.json")
	if err := replaceFile(path, []byte("old")); err != nil {
		t.Fatal(err)
	}
	full := errors.New("no space left on device")
	err := replaceFileBy(func(string, string) error { return full }, path, []byte("new"))
	if !errors.Is(err, full) {
		t.Errorf("want the rename's error, got %v", err)
	}
	if data, _ := os.ReadFile(path); string(data) != "old" {
		t.Errorf("the old file became %q", data)
	}
	if got := filesIn(t, filepath.Dir(path)); len(got) != 1 {
		t.Errorf("a temporary file is left: %q", got)
	}
}

func TestReportIsReadableByOthers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report.json")
	if err := replaceFile(path, nil); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("want mode 0644, got %v, %v", info.Mode(), err)
	}
}

func filesIn(t *testing.T, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

func readReport(t *testing.T, folder string) *ConformanceReport {
	t.Helper()
	file, err := os.Open(filepath.Join(folder, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, err := Read(file)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
