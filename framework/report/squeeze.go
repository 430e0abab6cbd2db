package report

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"slices"
)

const (
	// maxPacked is how many bytes a packed report may have: an object of the
	// API holds 1 MiB of data, and some room is left for the rest of it.
	maxPacked = 900 << 10
	// maxUnpacked bounds what is read back, against a file that blows up.
	maxUnpacked = 64 << 20
	// maxMessage is how many bytes of a message the last trim leaves.
	maxMessage = 2 << 10
)

// squeezed is a packed report and what it had to leave out.
type squeezed struct {
	data    []byte
	trimmed string
}

// trims are what can be left out of a report, the least needed first. Verdicts
// and their reasons are never left out.
var trims = []struct {
	name string
	trim func(*Spec)
}{
	{"timelines", func(s *Spec) { s.Timeline = nil }},
	{"timelines, evidence", func(s *Spec) { s.Evidence = nil }},
	{"timelines, evidence, long messages", shorten},
}

func shorten(s *Spec) {
	if len(s.Message) > maxMessage {
		s.Message = s.Message[:maxMessage] + "\n(shortened)"
	}
}

// squeeze packs a report into at most limit bytes, leaving out as little as it
// can. Its error says that even the least is too much.
func squeeze(r *ConformanceReport, limit int) (squeezed, error) {
	data, err := packJSON(r)
	if err != nil || len(data) <= limit {
		return squeezed{data: data}, err
	}
	for _, step := range trims {
		r = trimmed(r, step.trim)
		if data, err = packJSON(r); err != nil || len(data) <= limit {
			return squeezed{data: data, trimmed: step.name}, err
		}
	}
	return squeezed{}, fmt.Errorf("the report has %d bytes when packed, and %d is the most that fits", len(data), limit)
}

// trimmed returns a copy with every spec trimmed; r itself stays whole.
func trimmed(r *ConformanceReport, trim func(*Spec)) *ConformanceReport {
	smaller := *r
	smaller.Results = slices.Clone(r.Results)
	for i := range smaller.Results {
		specs := slices.Clone(smaller.Results[i].Specs)
		for j := range specs {
			trim(&specs[j])
		}
		smaller.Results[i].Specs = specs
	}
	return &smaller
}

func packJSON(r *ConformanceReport) ([]byte, error) {
	var buffer bytes.Buffer
	zipped := gzip.NewWriter(&buffer)
	if err := WriteJSON(zipped, r); err != nil {
		return nil, err
	}
	if err := zipped.Close(); err != nil {
		return nil, err
	}
	return buffer.Bytes(), nil
}

func unpack(data []byte) (*ConformanceReport, error) {
	plain, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("the packed report is damaged: %w", err)
	}
	return Read(io.LimitReader(plain, maxUnpacked))
}
