package report

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

var (
	tags    = regexp.MustCompile(`(?s)<[a-zA-Z][^>]*>`)
	blocks  = regexp.MustCompile(`(?s)<(style|script)>.*?</(style|script)>`)
	address = regexp.MustCompile(`(?i)(https?:)?//|\burl\((?:[^#])|@import|\bsrc=|\bsrcset=`)
	docLink = regexp.MustCompile(`^<a href="https://(kubernetes\.io|github\.com)/[^"]*" rel="noreferrer">$`)
)

func TestHTMLLoadsNothing(t *testing.T) {
	for _, page := range []string{html(t, everyVerdict()), html(t, allGreen())} {
		for _, tag := range tags.FindAllString(blocks.ReplaceAllString(page, ""), -1) {
			if address.MatchString(tag) && !docLink.MatchString(tag) {
				t.Errorf("the page refers to something outside: %s", tag)
			}
		}
		for _, block := range blocks.FindAllString(page, -1) {
			for _, line := range strings.Split(block, "\n") {
				if at := address.FindString(line); at != "" && !strings.HasPrefix(strings.TrimSpace(line), "//") {
					t.Errorf("a style or script refers to something outside: %s", line)
				}
			}
		}
	}
}

func TestHTMLEscapes(t *testing.T) {
	r := everyVerdict()
	const evil = `"><img onerror=alert(1)><script>alert(2)</script>`
	r.Cluster.Server, r.Cluster.Context, r.Reason = evil, evil, evil
	r.Cluster.Nodes[0].Name = evil
	r.Results[5].Area, r.Results[5].Statement, r.Results[5].Doc = evil, evil, "javascript:alert(1)"
	r.Results[5].ID = evil
	line := r.Results[5].Specs[0].Timeline
	line.Bars[0].Node, line.Bars[0].Pod, line.Bars[0].Version, line.Bars[0].State = evil, evil, evil, evil
	line.Marks[0].Text, line.Violations[0].Message = evil, evil
	page := html(t, r)
	if got := strings.Count(page, "<script"); got != 1 {
		t.Errorf("the page holds %d scripts, and one is its own", got)
	}
	for _, bad := range []string{"<img", `href="javascript:`} {
		if strings.Contains(page, bad) {
			t.Errorf("the page holds %s", bad)
		}
	}
}

func TestHTMLOfAlmostNothing(t *testing.T) {
	r := &ConformanceReport{Conclusion: CouldNotRun, Reason: "the API server does not answer"}
	page := html(t, r)
	if !strings.Contains(page, r.Reason) || !strings.Contains(page, "Nothing was checked.") {
		t.Error("the page does not say why nothing was checked")
	}
	r.Results = []Result{{ID: "UPD-04", Verdict: Failed, Specs: []Spec{{Timeline: &Timeline{}}}}}
	html(t, r)
}

func html(t *testing.T, r *ConformanceReport) string {
	t.Helper()
	var buffer bytes.Buffer
	if err := WriteHTML(&buffer, r); err != nil {
		t.Fatal(err)
	}
	return buffer.String()
}
