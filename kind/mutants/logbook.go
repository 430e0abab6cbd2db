package mutants

import (
	"cmp"
	"slices"
	"sync"

	"rollcall.dev/rollcall/kind/progress"
)

// logbook takes down what became of each mutant as soon as it is known.
type logbook struct {
	mutex    sync.Mutex
	result   *Result
	results  string // a file, or empty
	progress *progress.Printer
	// all is how many mutants will be tried, in clusters clusters.
	all, clusters int
}

func newLogbook(options Options, result *Result, all int) *logbook {
	return &logbook{result: result, results: options.Results, progress: options.Progress, all: all, clusters: len(options.Clusters)}
}

// enter adds an outcome to the result, in the order of the table, to the file,
// and to what a person reads.
func (b *logbook) enter(cluster string, outcome Outcome) error {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.result.Outcomes = append(b.result.Outcomes, outcome)
	if b.clusters > 1 {
		cluster += ": "
	} else {
		cluster = ""
	}
	b.progress.Note("[%d/%d] %s%-6s %s: red %s (%s)", len(b.result.Outcomes), b.all, cluster,
		outcome.verdict(), outcome.Mutant.Name, list(outcome.Red), seconds(outcome.Took))
	slices.SortStableFunc(b.result.Outcomes, func(a, b Outcome) int { return cmp.Compare(rank(a.Mutant), rank(b.Mutant)) })
	return keep(b.results, outcome)
}

// rank is where a mutant stands in the table.
func rank(mutant Mutant) int {
	return slices.IndexFunc(table, func(m Mutant) bool { return m.Name == mutant.Name })
}
