package main

import (
	"github.com/spf13/cobra"

	"rollcall.dev/rollcall/framework/exit"
	"rollcall.dev/rollcall/framework/run"
	"rollcall.dev/rollcall/suites"
)

func newExplainCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "explain ID",
		Short: "Tell all about one requirement",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			catalogue, err := run.Catalogue(suites.All)
			if err != nil {
				return err
			}
			found, ok := catalogue.Get(args[0])
			if !ok {
				return exit.Usagef("no requirement is called %q: see 'rollcall list'", args[0])
			}
			return found.Explain(cmd.OutOrStdout())
		},
	}
}
