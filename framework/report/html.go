package report

import (
	_ "embed"
	"html/template"
	"io"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// slowestCharted is how many specs the page charts under where the time went.
const slowestCharted = 10

//go:embed report.html.tmpl
var pageText string

// Style is a template called "style": the style sheet of every page that rollcall
// writes. Colours are named for verdicts.
//
//go:embed style.html.tmpl
var Style string

var pageTemplate = template.Must(template.Must(template.New("report").Funcs(template.FuncMap{
	"address":  func(url string) string { return strings.TrimPrefix(url, "https://") },
	"clean":    clean,
	"draw":     draw,
	"oneLine":  oneLine,
	"percent":  percent,
	"stamp":    stamp,
	"timed":    took,
	"tone":     tone,
	"after":    func(t *Timeline, at time.Time) string { return scaleOf(t).after(at) },
	"byTime":   func(bars []Bar) []Bar { return byTime(bars, func(b Bar) time.Time { return b.From }) },
	"duration": func(d time.Duration) string { return d.Round(time.Second).String() },
}).Parse(pageText)).Parse(Style))

// WriteHTML writes a report as one page that stands alone: it asks for nothing
// from anywhere, and reads the same offline and on paper.
func WriteHTML(w io.Writer, r *ConformanceReport) error {
	return pageTemplate.Execute(w, pageOf(r))
}

// page is what the template renders.
type page struct {
	*ConformanceReport
	Verdicts []Verdict
	Areas    []area
	// Attention are the requirements that are broken or open.
	Attention []Result
	Slowest   []timed
	// Longest is the time of the slowest spec, in seconds; charts end there.
	Longest float64
}

func pageOf(r *ConformanceReport) page {
	p := page{ConformanceReport: r, Verdicts: Verdicts, Areas: byArea(r), Slowest: slowest(r, slowestCharted)}
	for _, verdict := range []Verdict{Failed, Unknown} {
		for _, result := range r.Results {
			if result.Verdict == verdict {
				p.Attention = append(p.Attention, result)
			}
		}
	}
	if len(p.Slowest) > 0 {
		p.Longest = p.Slowest[0].Seconds
	}
	return p
}

// stamp writes an instant in UTC, so that a page reads the same everywhere.
func stamp(at metav1.Time) string { return at.UTC().Format("2006-01-02 15:04:05 UTC") }

// tone is the colour of a conclusion, named as the verdict that it shares it
// with.
func tone(c Conclusion) Verdict {
	switch c {
	case Conformant:
		return Passed
	case NotConformant, CouldNotRun:
		return Failed
	default:
		return Unknown
	}
}

// percent is a share of a whole, between 0 and 100.
func percent(part, whole any) float64 {
	of := number(whole)
	if of == 0 {
		return 0
	}
	return tenth(number(part) / of * 100)
}

func number(value any) float64 {
	switch n := value.(type) {
	case int:
		return float64(n)
	case float64:
		return n
	default:
		return 0
	}
}
