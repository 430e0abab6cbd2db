package progress

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestLines(t *testing.T) {
	var out strings.Builder
	clock := time.Unix(0, 0)
	printer := New(&out)
	printer.now = func() time.Time { return clock }

	step := printer.Start("build", 20*time.Minute)
	printer.Note("%d packages", 3)
	clock = clock.Add(65 * time.Second)
	if err := step.End(nil); err != nil {
		t.Fatal(err)
	}
	step = printer.Start("load", 0)
	clock = clock.Add(1500 * time.Millisecond)
	broken := errors.New("broken")
	if got := step.End(broken); got != broken {
		t.Fatalf("End returned %v, want the error that it was given", got)
	}

	want := "==> build (about 20 min)\n    3 packages\n    done in 65 s\n==> load\n    failed after 1.5 s\n"
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}

func TestNilPrinterIsSilent(t *testing.T) {
	var printer *Printer
	printer.Note("nobody listens")
	if err := printer.Start("quiet", time.Second).End(nil); err != nil {
		t.Fatal(err)
	}
}
