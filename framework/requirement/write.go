package requirement

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"sigs.k8s.io/yaml"

	"rollcall.dev/rollcall/framework/limit"
)

// Select returns the requirements that any of the names stands for (all, if
// there are no names) and that a run of a level may check, in the catalogue's
// order.
func (c *Catalogue) Select(names []string, highest Level) ([]Requirement, error) {
	ids, err := c.Match(names)
	if err != nil {
		return nil, err
	}
	wanted := map[string]bool{}
	for _, id := range ids {
		wanted[id] = true
	}
	var chosen []Requirement
	for _, r := range c.All() {
		if (len(names) == 0 || wanted[r.ID]) && highest.Reaches(r.Level) {
			chosen = append(chosen, r)
		}
	}
	return chosen, nil
}

// Formats are the forms in which Write prints; the empty one is a table.
var Formats = []string{"", "json", "yaml", "name"}

// Write prints requirements in one of the formats.
func Write(out io.Writer, format string, requirements []Requirement) error {
	switch format {
	case "":
		return writeTable(out, requirements)
	case "json":
		encoder := json.NewEncoder(out)
		encoder.SetIndent("", "  ")
		return encoder.Encode(requirements)
	case "yaml":
		text, err := yaml.Marshal(requirements)
		if err == nil {
			_, err = out.Write(text)
		}
		return err
	case "name":
		for _, r := range requirements {
			fmt.Fprintln(out, r.ID)
		}
		return nil
	default:
		return fmt.Errorf("unknown output format %q", format)
	}
}

func writeTable(out io.Writer, requirements []Requirement) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "ID\tLEVEL\tLIMIT\tCHECKED\tSTATEMENT")
	checked := 0
	for _, r := range requirements {
		word, longest := "no", "-"
		if r.Checked() {
			word, longest = "yes", r.Limit.String()
			checked++
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", r.ID, r.Level, longest, word, r.Statement)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "%d requirements, %d of them checked\n", len(requirements), checked)
	return err
}

// Explain prints everything about a requirement.
func (r Requirement) Explain(out io.Writer) error {
	lines := []struct{ name, text string }{
		{"Promise", r.Statement},
		{"Documented", r.URL()},
		{"Source", r.Source},
		{"Releases", releases(r)},
		{"Level", string(r.Level)},
		{"Needs", joinNeeds(r.Needs)},
		{"Limit", fullLimit(r)},
		{"If broken", r.Remedy},
		{"Note", r.Note},
		{"Deviations", joinDeviations(r.Deviations)},
		{"Not checked", r.Unchecked},
	}
	fmt.Fprintln(out, r.ID)
	for _, line := range lines {
		if line.text != "" {
			fmt.Fprintf(out, "  %-12s %s\n", line.name+":", line.text)
		}
	}
	return nil
}

func releases(r Requirement) string {
	if r.Since == "" && r.Until == "" {
		return ""
	}
	return fmt.Sprintf("%s to %s", cmp.Or(r.Since, "the first"), cmp.Or(r.Until, "the newest"))
}

func joinNeeds(needs []Capability) string {
	words := make([]string, len(needs))
	for i, need := range needs {
		words[i] = string(need)
	}
	return strings.Join(words, ", ")
}

func joinDeviations(deviations []Deviation) string {
	lines := make([]string, len(deviations))
	for i, deviation := range deviations {
		lines[i] = deviation.String()
	}
	return strings.Join(lines, "; ")
}

// fullLimit tells what a large cluster gets besides. A dry run waits for no controller.
func fullLimit(r Requirement) string {
	if !r.Checked() || r.Level == API {
		return limitText(r)
	}
	return limitText(r) + "; " + growth
}

// growth tells what limits get on a large cluster.
var growth = fmt.Sprintf("each wait for a controller's Pods or status gets %s more for each node of the roster", limit.Turn)

func limitText(r Requirement) string {
	if !r.Checked() {
		return ""
	}
	return r.Limit.String()
}
