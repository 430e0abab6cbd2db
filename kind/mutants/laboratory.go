package mutants

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sync/errgroup"

	"rollcall.dev/rollcall/framework/exit"
	"rollcall.dev/rollcall/kind/nodeimage"
)

// laboratory is the clusters in which mutants are tried side by side, a bench each,
// and what they share.
type laboratory struct {
	benches []*bench
	// release is the Kubernetes that all of them run, such as v1.37.2.
	release string
	// scratch is a folder for our own files, out the one for the reports.
	scratch, out string
}

// open prepares the clusters and builds the mutants of the release that they run.
func open(ctx context.Context, options Options, chosen []Mutant) (_ *laboratory, err error) {
	l := &laboratory{out: options.Out}
	if l.scratch, err = os.MkdirTemp("", "rollcall-mutants-"); err != nil {
		return nil, err
	}
	if l.out == "" {
		l.out = filepath.Join(l.scratch, "reports")
	}
	if err := l.openBenches(ctx, options, chosen); err != nil {
		return nil, errors.Join(err, l.close(false))
	}
	return l, nil
}

func (l *laboratory) openBenches(ctx context.Context, options Options, chosen []Mutant) error {
	// In the same order everywhere, so that no two runs wait for each other's clusters.
	for _, name := range slices.Compact(slices.Sorted(slices.Values(options.Clusters))) {
		opened, err := openBench(ctx, options, name, l)
		if err != nil {
			return err
		}
		if l.release != "" && l.release != opened.release {
			return exit.Usagef("the clusters run different releases, %s and %s", l.release, opened.release)
		}
		l.release = opened.release
		l.benches = append(l.benches, opened)
	}
	built, err := buildFor(ctx, options, l.release, chosen)
	if err != nil {
		return err
	}
	for _, each := range l.benches {
		if err := each.equip(built); err != nil {
			return err
		}
	}
	return nil
}

// buildFor builds the mutants of the release that the clusters run.
func buildFor(ctx context.Context, options Options, release string, chosen []Mutant) (nodeimage.Built, error) {
	if !needsBuild(chosen) {
		return nodeimage.Built{}, nil
	}
	committed, err := nodeimage.FindModule(options.BinariesDir)
	if err != nil {
		return nodeimage.Built{}, err
	}
	module, err := committed.At(ctx, release)
	if err != nil {
		return nodeimage.Built{}, err
	}
	return build(ctx, options.Progress, module)
}

// tryAll tries each mutant in one of the clusters. Whatever happens, all of them
// are healed at the end.
func (l *laboratory) tryAll(ctx context.Context, mutants *queue, book *logbook) error {
	return l.each(ctx, func(ctx context.Context, bench *bench) error { return bench.tryAll(ctx, mutants, book) })
}

// control checks in each cluster, now that it is healed, what was broken there.
func (l *laboratory) control(ctx context.Context, result *Result) error {
	if err := l.each(ctx, func(ctx context.Context, bench *bench) error { return bench.control(ctx) }); err != nil {
		return err
	}
	var controls []Control
	for _, bench := range l.benches {
		controls = append(controls, bench.healed)
	}
	whole := joined(controls)
	result.Control = &whole
	return nil
}

// each does something in all clusters at a time. The first error ends it.
func (l *laboratory) each(ctx context.Context, do func(context.Context, *bench) error) error {
	group, ctx := errgroup.WithContext(ctx)
	for _, bench := range l.benches {
		group.Go(func() error {
			if err := do(ctx, bench); err != nil {
				return fmt.Errorf("cluster %s: %w", bench.name, err)
			}
			return nil
		})
	}
	return group.Wait()
}

// close removes our own files, but the reports if they are worth a look.
func (l *laboratory) close(keepReports bool) error {
	var faults []error
	for _, bench := range l.benches {
		faults = append(faults, bench.close())
	}
	if !keepReports {
		faults = append(faults, os.RemoveAll(l.scratch))
	}
	return errors.Join(faults...)
}
