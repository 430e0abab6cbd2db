package main

import (
	"github.com/spf13/cobra"

	"rollcall.dev/rollcall/framework/exit"
	"rollcall.dev/rollcall/framework/report"
)

func newReportCommand() *cobra.Command {
	var output string
	command := &cobra.Command{
		Use:   "report FILE",
		Short: "Render a saved report as text, JSON, JUnit or HTML",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			format, err := report.ParseFormat(output)
			if err != nil {
				return exit.Usagef("%w", err)
			}
			found, err := report.ReadFile(args[0])
			if err != nil {
				return exit.Usagef("%w", err)
			}
			return format.Write(cmd.OutOrStdout(), found)
		},
	}
	command.Flags().StringVarP(&output, "output", "o", "text", "output format: text, json, junit or html")
	return command
}
