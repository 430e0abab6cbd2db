package main

import (
	"errors"

	"github.com/spf13/cobra"

	"rollcall.dev/rollcall/framework/release"
	"rollcall.dev/rollcall/framework/run"
	"rollcall.dev/rollcall/kind"
	"rollcall.dev/rollcall/kind/mutants"
	"rollcall.dev/rollcall/kind/progress"
	"rollcall.dev/rollcall/suites"
)

func newKindMutantsCommand(printer *progress.Printer) *cobra.Command {
	options := mutants.Options{Progress: printer}
	markdown := false
	command := &cobra.Command{
		Use:   "mutants [NAME|COMPONENT|ci]...",
		Short: "Break one promise of the cluster at a time and see whether the run catches it",
		Long: `Break one promise of the cluster at a time and see whether the run catches it.

Each mutant is Kubernetes with one mistake in it, or an admission policy that
undoes a promise from outside. For each, or for those that are named or of the
component that is named, the component is swapped in the running cluster, the
specs that could see it are run, and what turned red is held against what should
have. ci stands for a small set over all components. The cluster is healed
afterwards, whatever happens, and must be green again.

Exit codes: 0 all are caught and nothing unrelated turned red, 1 not so,
3 could not run, 4 interrupted, 64 wrong usage.`,
		RunE: func(cmd *cobra.Command, names []string) error {
			catalogue, err := run.Catalogue(suites.All)
			if err != nil {
				return err
			}
			options.Names, options.Catalogue = names, catalogue
			if markdown {
				return mutants.WriteMarkdown(cmd.OutOrStdout(), options.Results, catalogue)
			}
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
	command.Flags().StringSliceVar(&options.Clusters, "name", []string{kind.DefaultName}, "names of kind clusters; several share the mutants out among them")
	command.Flags().StringVar(&options.Results, "results", "", "a JSON file that keeps what was found, each mutant as it was seen last")
	command.Flags().BoolVar(&markdown, "markdown", false, "print what the file of results holds as markdown, and try nothing")
	flags := command.Flags()
	flags.StringVar(&options.BinariesDir, "binaries-dir", "", "folder kind/binaries of a checkout (default: looked for from here upwards)")
	flags.StringVar(&options.Image, "image", release.Image, "the image of every Pod that a spec starts")
	flags.Float64Var(&options.Scale, "timeout-scale", 1, "multiplies every time limit of the specs; raise it on a slow machine")
	flags.StringVar(&options.Out, "out", "", "folder for the report of each run and the histories of what turned red (default: one that is kept only if something is wrong)")
	return command
}
