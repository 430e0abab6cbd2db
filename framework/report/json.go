package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// WriteJSON writes a report as indented JSON, the form that every other one is
// rendered from.
func WriteJSON(w io.Writer, r *ConformanceReport) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(r)
}

// ReadFile is Read for a file. Its error names the file.
func ReadFile(name string) (*ConformanceReport, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	found, err := Read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return found, nil
}

// Read reads a report that WriteJSON wrote. Its error is one line that says why
// the input is no report of this version. Fields that it does not know are left
// out, so that a newer minor version stays readable.
func Read(from io.Reader) (*ConformanceReport, error) {
	data, err := io.ReadAll(from)
	if err != nil {
		return nil, fmt.Errorf("cannot read the report: %w", err)
	}
	if err := checkKind(data); err != nil {
		return nil, fmt.Errorf("not a conformance report: %w", err)
	}
	r := &ConformanceReport{}
	if err := json.Unmarshal(data, r); err != nil {
		return nil, fmt.Errorf("the conformance report is damaged: %w", err)
	}
	return r, nil
}

// checkKind looks at the two fields that say what the rest means, before the
// rest is read.
func checkKind(data []byte) error {
	if len(data) == 0 {
		return errors.New("it is empty")
	}
	var head struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return fmt.Errorf("it is not JSON of the expected shape: %w", err)
	}
	if head.Kind != Kind {
		return fmt.Errorf("its kind is %q, not %q", head.Kind, Kind)
	}
	if head.APIVersion != APIVersion {
		return fmt.Errorf("its apiVersion is %q, and this release reads %q", head.APIVersion, APIVersion)
	}
	return nil
}
