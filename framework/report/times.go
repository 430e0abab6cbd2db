package report

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// timed is one spec and how long it took. A spec that checks several
// requirements is listed in each of their results, but its time was spent once.
type timed struct {
	Text    string
	Area    string
	IDs     []string
	Seconds float64
}

// timedSpecs returns every spec once, the slowest first.
func timedSpecs(r *ConformanceReport) []timed {
	type key struct {
		text    string
		started int64
	}
	index := map[key]int{}
	var specs []timed
	for _, result := range r.Results {
		for _, spec := range result.Specs {
			k := key{spec.Text, spec.Started.Unix()}
			i, known := index[k]
			if !known {
				i = len(specs)
				index[k] = i
				specs = append(specs, timed{Text: spec.Text, Area: result.Area, Seconds: spec.Seconds})
			}
			specs[i].IDs = append(specs[i].IDs, result.ID)
		}
	}
	slices.SortStableFunc(specs, func(a, b timed) int { return cmp.Compare(b.Seconds, a.Seconds) })
	return specs
}

// slowest returns at most n specs, the slowest first.
func slowest(r *ConformanceReport, n int) []timed {
	specs := timedSpecs(r)
	return specs[:min(n, len(specs))]
}

// took writes seconds as a reader wants them: 0.4s, 41s, 2m14s.
func took(seconds float64) string {
	if seconds < 10 {
		return fmt.Sprintf("%.1fs", seconds)
	}
	return time.Duration(seconds * float64(time.Second)).Round(time.Second).String()
}
