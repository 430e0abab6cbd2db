package report

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// A report that was read back has local times, and must look the same in every
// zone.
func TestMain(m *testing.M) {
	time.Local = time.FixedZone("elsewhere", 5*60*60+45*60)
	os.Exit(m.Run())
}

func TestGoldenFiles(t *testing.T) {
	coloured := func(w io.Writer, r *ConformanceReport) error { return WriteText(w, r, true) }
	for file, c := range map[string]struct {
		report *ConformanceReport
		write  func(io.Writer, *ConformanceReport) error
	}{
		"every-verdict.json":        {everyVerdict(), WriteJSON},
		"every-verdict.txt":         {everyVerdict(), writePlainText},
		"every-verdict-colours.txt": {everyVerdict(), coloured},
		"every-verdict.xml":         {everyVerdict(), WriteJUnit},
		"every-verdict.html":        {everyVerdict(), WriteHTML},
		"green.txt":                 {allGreen(), writePlainText},
		"green.html":                {allGreen(), WriteHTML},
	} {
		t.Run(file, func(t *testing.T) {
			var got bytes.Buffer
			if err := c.write(&got, reread(t, c.report)); err != nil {
				t.Fatal(err)
			}
			golden(t, file, got.Bytes())
		})
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs; if that is meant, run go test with -update (- want, + got):\n%s", path, diff)
	}
}

// reread writes a report as JSON and reads it back, as 'rollcall report' does.
func reread(t *testing.T, r *ConformanceReport) *ConformanceReport {
	t.Helper()
	var buffer bytes.Buffer
	if err := WriteJSON(&buffer, r); err != nil {
		t.Fatal(err)
	}
	again, err := Read(&buffer)
	if err != nil {
		t.Fatal(err)
	}
	return again
}
