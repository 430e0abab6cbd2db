package mutants

import (
	"context"
	"errors"
	"slices"

	"rollcall.dev/rollcall/framework/exit"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/kind/progress"
)

// Options say which mutants are tried, and where.
type Options struct {
	// Names are mutants of the table, or components, or the small set; none means
	// all.
	Names []string
	// Catalogue knows which requirements have a spec.
	Catalogue *requirement.Catalogue
	// Results is a file that keeps what was found; empty means none.
	Results string
	// Clusters names kind clusters that are there and run the same Kubernetes. The
	// mutants are shared out among them.
	Clusters []string
	// BinariesDir is the folder kind/binaries; empty means to look for it.
	BinariesDir string
	// Image is the image of every Pod that a spec starts.
	Image string
	// Scale multiplies the time limits of the specs.
	Scale float64
	// Out is a folder for the report of each run and the histories of what turned
	// red. Empty means one that is kept
	// only if something is wrong.
	Out      string
	Progress *progress.Printer
}

// Run tries the mutants, one after the other in each cluster, heals the clusters,
// and checks that they are green again. An error means that it did not come to
// that, and then too they are healed; the result, if there is one, holds what was
// found.
func Run(ctx context.Context, options Options) (*Result, error) {
	chosen, err := Find(options.Names)
	if err != nil {
		return nil, exit.Usagef("%w", err)
	}
	chosen, waiting := checkable(chosen, options.Catalogue)
	if len(chosen) == 0 {
		return nil, exit.Usagef("no spec checks yet what %v should turn red", namesOf(waiting))
	}
	rooms, err := open(ctx, options, chosen)
	if err != nil {
		return nil, err
	}
	chosen, unfit := fitting(rooms.release, chosen)
	result := &Result{Waiting: append(waiting, unfit...), Reports: rooms.out}
	if len(options.Names) == 0 {
		result.Unbroken = unbrokenOf(options.Catalogue)
	}
	err = rooms.tryAll(ctx, newQueue(chosen), newLogbook(options, result, len(chosen)))
	if err == nil {
		err = rooms.control(ctx, result)
	}
	worthALook := ctx.Err() == nil && (err != nil || !result.OK())
	err = errors.Join(err, rooms.close(options.Out == "" && worthALook))
	switch {
	case len(result.Outcomes) == 0:
		return nil, err
	case options.Out == "" && !worthALook:
		result.Reports = ""
	}
	return result, err
}

// checkable parts the mutants into those that a spec can catch and those that wait
// for one.
func checkable(chosen []Mutant, catalogue *requirement.Catalogue) (now, later []Mutant) {
	for _, mutant := range chosen {
		if len(mutant.unchecked(catalogue)) == 0 {
			now = append(now, mutant)
		} else {
			later = append(later, mutant)
		}
	}
	return now, later
}

// unbrokenOf are the requirements that a spec checks and no mutant breaks.
func unbrokenOf(catalogue *requirement.Catalogue) []string {
	broken := union(table, func(m Mutant) []string { return m.Expect })
	var ids []string
	for _, area := range catalogue.Areas() {
		for _, r := range area.Requirements {
			if r.Checked() && !slices.Contains(broken, r.ID) {
				ids = append(ids, r.ID)
			}
		}
	}
	return ids
}
