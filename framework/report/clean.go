package report

import (
	"regexp"
	"strings"
	"unicode"
)

// ansi matches the escape sequences with which programs colour their output.
var ansi = regexp.MustCompile("\x1b\\[[0-9;?]*[ -/]*[@-~]")

// clean removes what a terminal would obey and what XML forbids. Messages quote
// objects of the cluster, so their content is not ours.
func clean(text string) string {
	text = strings.ToValidUTF8(ansi.ReplaceAllString(text, ""), "\uFFFD")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case unicode.IsControl(r), r == '\uFFFE', r == '\uFFFF':
			return -1
		default:
			return r
		}
	}, text)
}

// indent puts prefix before every line that is not empty.
func indent(text, prefix string) string {
	lines := strings.Split(strings.Trim(text, "\n"), "\n")
	for i, line := range lines {
		if line = strings.TrimRight(line, " \t"); line != "" {
			line = prefix + line
		}
		lines[i] = line
	}
	return strings.Join(lines, "\n")
}

// firstLine is the first line of a text that says something.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(line)
}
