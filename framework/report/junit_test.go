package report

import (
	"bytes"
	"encoding/xml"
	"strings"
	"testing"
)

func TestJUnitIsReadable(t *testing.T) {
	var buffer bytes.Buffer
	if err := WriteJUnit(&buffer, everyVerdict()); err != nil {
		t.Fatal(err)
	}
	var suites junitSuites
	if err := xml.Unmarshal(buffer.Bytes(), &suites); err != nil {
		t.Fatal(err)
	}
	cases, counted := 0, 0
	for _, suite := range suites.Suites {
		cases += len(suite.Cases)
		counted += suite.Tests
	}
	if cases != len(everyVerdict().Results) || counted != cases || suites.Tests != cases {
		t.Errorf("%d cases, counted as %d by area and %d in all", cases, counted, suites.Tests)
	}
	text := suites.Suites[2].Cases[0].Failure.Text
	for _, want := range []string{"UPD-04: At most", "> 12:00:36.4", "]]>", "What to do:", "Documented: https://kubernetes.io/docs/tasks/"} {
		if !strings.Contains(text, want) {
			t.Errorf("the failure lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "\x1b") {
		t.Errorf("the failure holds an escape sequence: %q", text)
	}
}
