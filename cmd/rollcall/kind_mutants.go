package main

import (
	"errors"

	"github.com/spf13/cobra"

	"rollcall.dev/rollcall/framework/release"
	"rollcall.dev/rollcall/kind/mutants"
	"rollcall.dev/rollcall/kind/progress"
)

func newKindMutantsCommand(printer *progress.Printer) *cobra.Command {
	options := mutants.Options{Progress: printer}
	command := &cobra.Command{
		Use:   "mutants [NAME...]",
		Short: "Break one promise of the cluster at a time and see whether the run catches it",
		Long: `Break one promise of the cluster at a time and see whether the run catches it.

Each mutant is Kubernetes with one mistake in it, or an admission policy that
undoes a promise from outside. For each, or for those that are named, the
component is swapped in the running cluster, the suites that could see it are
run, and what turned red is held against what should have. The cluster is healed
afterwards, whatever happens, and must be green again.

Exit codes: 0 all are caught and nothing unrelated turned red, 1 not so,
3 could not run, 4 interrupted, 64 wrong usage.`,
		RunE: func(cmd *cobra.Command, names []string) error {
			options.Names = names
			result, err := mutants.Run(cmd.Context(), options)
			if result == nil {
				return err
			}
			if err := errors.Join(result.Write(cmd.OutOrStdout()), err); err != nil {
				return err
			}
			return verdictError{code: result.ExitCode()}
		},
	}
	addKindNameFlag(command, &options.Cluster)
	flags := command.Flags()
	flags.StringVar(&options.BinariesDir, "binaries-dir", "", "folder kind/binaries of a checkout (default: looked for from here upwards)")
	flags.StringVar(&options.Image, "image", release.Image, "the image of every Pod that a spec starts")
	flags.Float64Var(&options.Scale, "timeout-scale", 1, "multiplies every time limit of the specs; raise it on a slow machine")
	flags.StringVar(&options.Out, "out", "", "folder for the report of each run (default: one that is kept only if something is wrong)")
	return command
}
