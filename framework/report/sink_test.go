package report

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

type brokenSink struct{ err error }

func (b brokenSink) Save(context.Context, *ConformanceReport) error   { return b.err }
func (b brokenSink) Finish(context.Context, *ConformanceReport) error { return b.err }

func TestABrokenSinkKeepsNoOtherFromItsWork(t *testing.T) {
	wrong, folder := errors.New("disk full"), t.TempDir()
	sinks := Sinks{brokenSink{wrong}, Directory{Path: folder}}
	if err := sinks.Save(t.Context(), allGreen()); !errors.Is(err, wrong) {
		t.Errorf("want the error of the broken sink, got %v", err)
	}
	readReport(t, folder)
}

func TestTerminationLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "termination-log")
	if err := (TerminationLog{Path: path}).Finish(t.Context(), allGreen()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a file was made that nobody asked for")
	}
	r := everyVerdict()
	if err := (TerminationLog{Path: path, Create: true}).Save(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if err := (TerminationLog{Path: path}).Finish(t.Context(), allGreen()); err != nil {
		t.Fatal(err)
	}
	if data, _ := os.ReadFile(path); string(data) != allGreen().Line() {
		t.Errorf("want the last line alone, got %q", data)
	}
}

func TestTerminationMessageFits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "termination-log")
	r := &ConformanceReport{Conclusion: CouldNotRun, Reason: strings.Repeat("x", 3*maxTerminationMessage)}
	if err := (TerminationLog{Path: path, Create: true}).Finish(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if data, _ := os.ReadFile(path); len(data) != maxTerminationMessage {
		t.Errorf("the message has %d bytes, and a kubelet keeps %d", len(data), maxTerminationMessage)
	}
}

func TestSonobuoyTakesWhatDoneNames(t *testing.T) {
	sink := Sonobuoy{Dir: filepath.Join(t.TempDir(), "results")}
	if err := sink.Save(t.Context(), allGreen()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(sink.Dir, "done")); err == nil {
		t.Fatal("done is there before the end")
	}
	if err := sink.Finish(t.Context(), everyVerdict()); err != nil {
		t.Fatal(err)
	}
	path, err := os.ReadFile(filepath.Join(sink.Dir, "done"))
	if err != nil {
		t.Fatal(err)
	}
	if got := namesIn(t, string(path)); got != "report.json junit.xml report.txt report.html" {
		t.Errorf("the archive holds %q", got)
	}
}

func namesIn(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for packed := tar.NewReader(plain); ; {
		header, err := packed.Next()
		if errors.Is(err, io.EOF) {
			return strings.Join(names, " ")
		}
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, header.Name)
	}
}
