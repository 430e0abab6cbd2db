package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"rollcall.dev/rollcall/framework/cluster"
	"rollcall.dev/rollcall/framework/limit"
)

func newCleanupCommand() *cobra.Command {
	var (
		target    cluster.Target
		namespace string
		deadline  time.Duration
	)
	command := &cobra.Command{
		Use:   "cleanup",
		Short: "Undo whatever a run left behind",
		Long: `Undo whatever a run left behind: the namespaces, roles and other objects that
carry the label ` + cluster.RunLabel + `. A run that is under way is left alone.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			connection, err := cluster.Connect(target)
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "cleaning up in %s\n", connection)
			return connection.Cleanup(cmd.Context(), namespace, deadline, func(line string) {
				fmt.Fprintln(cmd.OutOrStdout(), line)
			})
		},
	}
	addTargetFlags(command, &target)
	command.Flags().StringVarP(&namespace, "namespace", "n", cluster.DefaultNamespace, "rollcall's own namespace")
	command.Flags().DurationVar(&deadline, "timeout", limit.Teardown.For, "how long the removal may take")
	return command
}
