package audit

import (
	"bytes"
	_ "embed"
	"html/template"
	"io"
	"strings"
	"time"

	"rollcall.dev/rollcall/framework/release"
	"rollcall.dev/rollcall/framework/report"
)

//go:embed audit.html.tmpl
var pageText string

var pageTemplate = template.Must(template.Must(template.New("audit").Funcs(template.FuncMap{
	"stamp":   func(at time.Time) string { return at.UTC().Format("2006-01-02 15:04:05 UTC") },
	"faults":  func(causes []Cause) []group { return groups(causes, false) },
	"passing": func(causes []Cause) []group { return groups(causes, true) },
	"several": several,
	"all":     func(names []string) string { return strings.Join(names, ", ") },
	"texts":   texts,
	"version": func() string { return release.Version },
	"percent": func(part, whole int) float64 {
		return 100 * float64(part) / float64(max(whole, 1))
	},
	"sub": func(a, b int) int { return a - b },
}).Parse(pageText)).Parse(report.Style))

// writeHTML writes a page that stands alone: it asks for nothing from anywhere.
func writeHTML(to io.Writer, d Document) error {
	var text bytes.Buffer
	if err := pageTemplate.ExecuteTemplate(&text, d.htmlPage(), d); err != nil {
		return err
	}
	_, err := text.WriteTo(to)
	return err
}

func (a *Audit) htmlPage() string { return "audit-page" }

// Tone is the colour of the audit's verdict, named as the style sheet does.
func (a *Audit) Tone() string { return string(a.tone()) }
