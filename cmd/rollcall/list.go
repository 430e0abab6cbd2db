package main

import (
	"slices"

	"github.com/spf13/cobra"

	"rollcall.dev/rollcall/framework/exit"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/run"
	"rollcall.dev/rollcall/suites"
)

func newListCommand() *cobra.Command {
	var level, output string
	command := &cobra.Command{
		Use:   "list [AREA|ID]...",
		Short: "List the requirements",
		RunE: func(cmd *cobra.Command, names []string) error {
			highest, err := requirement.ParseLevel(level)
			if err != nil {
				return exit.Usagef("%w", err)
			}
			catalogue, err := run.Catalogue(suites.All)
			if err != nil {
				return err
			}
			if output == "markdown" {
				return catalogue.WriteMarkdown(cmd.OutOrStdout())
			}
			chosen, err := catalogue.Select(names, highest)
			if err != nil {
				return exit.Usagef("%w", err)
			}
			if !slices.Contains(requirement.Formats, output) {
				return exit.Usagef("unknown output format %q: choose json, yaml, name or markdown", output)
			}
			return requirement.Write(cmd.OutOrStdout(), output, chosen)
		},
	}
	command.Flags().StringVar(&level, "level", string(requirement.Outage), "list what a run at this level may check")
	command.Flags().StringVarP(&output, "output", "o", "", "output format: json, yaml, name, or markdown for the whole catalogue")
	return command
}
