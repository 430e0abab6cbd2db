package mutants

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"
)

// record is what is kept of a mutant: what the last run said. Whether it was
// caught is worked out from the table.
type record struct {
	Mutant  string   `json:"mutant"`
	Red     []string `json:"red"`
	Open    []string `json:"open,omitempty"`
	Seconds float64  `json:"seconds"`
	// InARow is how many runs in a row have caught it, up to the last.
	InARow int `json:"inARow"`
}

// keep puts an outcome into a file of records, in place of an older one.
func keep(file string, outcome Outcome) error {
	if file == "" {
		return nil
	}
	records, err := readRecords(file)
	if err != nil {
		return err
	}
	content, err := json.MarshalIndent(merge(records, outcome), "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(file+".new", append(content, '\n'), 0o644); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}

func merge(records []record, outcome Outcome) []record {
	now := record{
		Mutant: outcome.Mutant.Name, Red: append([]string{}, outcome.Red...), Open: outcome.Open,
		Seconds: math.Round(outcome.Took.Seconds()),
	}
	before := slices.IndexFunc(records, func(r record) bool { return r.Mutant == now.Mutant })
	if outcome.Caught() {
		now.InARow = 1
		if before >= 0 {
			now.InARow += records[before].InARow
		}
	}
	if before >= 0 {
		records[before] = now
		return records
	}
	records = append(records, now)
	slices.SortFunc(records, func(a, b record) int { return strings.Compare(a.Mutant, b.Mutant) })
	return records
}

func readRecords(file string) ([]record, error) {
	content, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var records []record
	if err := json.Unmarshal(content, &records); err != nil {
		return nil, fmt.Errorf("%s holds no results: %w", file, err)
	}
	return records, nil
}
