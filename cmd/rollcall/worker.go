package main

import (
	"os"

	"github.com/spf13/cobra"

	"rollcall.dev/rollcall/framework/run"
	"rollcall.dev/rollcall/suites"
)

// newWorkerCommand is how a run starts itself again for each batch of specs.
// It speaks on file descriptor 3: standard output belongs to the specs.
func newWorkerCommand() *cobra.Command {
	return &cobra.Command{
		Use:    run.WorkerVerb,
		Short:  "Run the specs that a run hands out",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return run.Work(suites.All, os.Stdin, os.NewFile(3, "messages"))
		},
	}
}
