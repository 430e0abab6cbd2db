package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"
)

// WriteJUnit writes a report as JUnit XML: a test suite an area, a test case a
// requirement. An inconclusive verdict is an error, a waived one is skipped
// with its reason.
func WriteJUnit(w io.Writer, r *ConformanceReport) error {
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(junitOf(r)); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

type junitSuites struct {
	XMLName   xml.Name `xml:"testsuites"`
	Name      string   `xml:"name,attr"`
	Timestamp string   `xml:"timestamp,attr"`
	junitCounts
	Suites []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name      string `xml:"name,attr"`
	Timestamp string `xml:"timestamp,attr"`
	junitCounts
	Properties []junitProperty `xml:"properties>property"`
	Cases      []junitCase     `xml:"testcase"`
}

type junitCounts struct {
	Tests    int    `xml:"tests,attr"`
	Failures int    `xml:"failures,attr"`
	Errors   int    `xml:"errors,attr"`
	Skipped  int    `xml:"skipped,attr"`
	Time     string `xml:"time,attr"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Time    string        `xml:"time,attr"`
	Failure *junitOutcome `xml:"failure"`
	Error   *junitOutcome `xml:"error"`
	Skipped *junitOutcome `xml:"skipped"`
}

type junitOutcome struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	// Text is CDATA so that its lines stay lines in the file.
	Text string `xml:",cdata"`
}

func junitOf(r *ConformanceReport) junitSuites {
	suites := junitSuites{Name: "rollcall", Timestamp: junitStamp(r)}
	total := 0.0
	for _, area := range byArea(r) {
		suites.Suites = append(suites.Suites, junitArea(r, area))
		total += area.Seconds
	}
	suites.junitCounts = junitCount(r.Counts, total)
	return suites
}

func junitArea(r *ConformanceReport, area area) junitSuite {
	suite := junitSuite{
		Name:        area.Name,
		Timestamp:   junitStamp(r),
		junitCounts: junitCount(area.Counts, area.Seconds),
		Properties:  junitProperties(r),
	}
	for _, result := range area.Results {
		suite.Cases = append(suite.Cases, junitResult(result))
	}
	return suite
}

// junitStamp is the start in UTC; JUnit's schema allows no zone.
func junitStamp(r *ConformanceReport) string {
	return r.Run.Started.UTC().Format("2006-01-02T15:04:05")
}

func junitCount(c Counts, seconds float64) junitCounts {
	return junitCounts{
		Tests:    c.Total(),
		Failures: c.Failed,
		Errors:   c.Inconclusive,
		Skipped:  c.Skipped + c.Waived,
		Time:     junitSeconds(seconds),
	}
}

func junitSeconds(seconds float64) string { return fmt.Sprintf("%.3f", seconds) }

func junitProperties(r *ConformanceReport) []junitProperty {
	return []junitProperty{
		{"cluster", clean(r.Cluster.Server)},
		{"clusterUID", clean(r.Cluster.UID)},
		{"kubernetesVersion", clean(r.Cluster.Version)},
		{"level", string(r.Run.Level)},
		{"run", clean(r.Run.ID)},
		{"rollcallVersion", clean(r.Run.Version)},
		{"conclusion", string(r.Conclusion)},
		{"duration", r.Duration().Round(time.Second).String()},
	}
}

func junitResult(result Result) junitCase {
	c := junitCase{
		Class: result.Area,
		Name:  oneLine(result.ID + " " + result.Statement),
		Time:  junitSeconds(result.Seconds),
	}
	switch result.Verdict {
	case Passed:
	case Failed:
		c.Failure = junitFinding(result)
	case Skipped:
		c.Skipped = &junitOutcome{Message: oneLine(result.Seen())}
	case Waived:
		c.Skipped = &junitOutcome{Message: "waived: " + oneLine(result.Reason), Text: junitText(result)}
	default:
		c.Error = junitFinding(result)
	}
	return c
}

func junitFinding(result Result) *junitOutcome {
	return &junitOutcome{
		Message: strings.TrimSuffix(firstLine(junitMessage(result)), ":"),
		Type:    string(result.Verdict),
		Text:    junitText(result),
	}
}

// junitMessage is what a viewer shows in its list: the first thing that a spec
// said, for its name stands in the text anyway.
func junitMessage(result Result) string {
	for _, spec := range result.Specs {
		if spec.Verdict != Passed && spec.Message != "" {
			return clean(spec.Message)
		}
	}
	return result.Seen()
}

func junitText(result Result) string {
	parts := []string{result.ID + ": " + oneLine(result.Statement)}
	if seen := result.Seen(); seen != "" {
		parts = append(parts, seen)
	}
	if result.Remedy != "" {
		parts = append(parts, "What to do: "+oneLine(result.Remedy))
	}
	parts = append(parts, "Documented: "+result.URL())
	return "\n" + strings.Join(parts, "\n\n") + "\n"
}
