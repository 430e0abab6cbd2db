package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"rollcall.dev/rollcall/framework/cluster"
	"rollcall.dev/rollcall/framework/exit"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/node"
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
		Long: `Undo whatever a run left behind: changes of nodes, by its journal, and the
namespaces, roles and other objects that carry the label ` + cluster.RunLabel + `.
A run that is under way is left alone; one that was killed counts as under way
until its lock expires, after a minute.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			connection, err := cluster.Connect(target)
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "cleaning up in %s\n", connection)
			if err := restoreNodes(cmd, connection, namespace); err != nil {
				// The journal lies in the namespace that a clean-up removes.
				return err
			}
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

// restoreNodes undoes what runs that are no longer under way did to nodes.
func restoreNodes(cmd *cobra.Command, connection *cluster.Connection, namespace string) error {
	told, err := node.UndoDead(cmd.Context(), connection, namespace)
	for _, line := range told {
		fmt.Fprintln(cmd.OutOrStdout(), line)
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		err = exit.Environmentf("nodes are not as they were: %w", err)
	}
	return err
}
