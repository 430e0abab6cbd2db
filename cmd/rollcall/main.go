package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
	"k8s.io/klog/v2"

	"rollcall.dev/rollcall/framework/exit"
)

func main() {
	os.Exit(execute(os.Args[1:], os.Stdout, os.Stderr))
}

// execute runs one command line and returns its exit code.
func execute(args []string, out, messages io.Writer) int {
	// Client libraries log what they retry; a user wants one clear line, so
	// that log goes where -v asks for it and nowhere else.
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()

	root := newRootCommand(messages)
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(messages)
	err := root.ExecuteContext(ctx)
	var verdict verdictError
	if errors.As(err, &verdict) {
		if verdict.trouble != nil {
			fmt.Fprintln(messages, "rollcall:", verdict.trouble)
		}
		return verdict.code
	}
	if err != nil {
		fmt.Fprintln(messages, "rollcall:", err)
	}
	return exit.Code(err)
}

// verdictError carries the exit code of a verdict that has been told already,
// and what went wrong beside it.
type verdictError struct {
	code    int
	trouble error
}

func (v verdictError) Error() string { return fmt.Sprintf("exit code %d", v.code) }

func newRootCommand(messages io.Writer) *cobra.Command {
	root := &cobra.Command{
		Use:           "rollcall",
		Short:         "Prove that a cluster does to DaemonSets, nodes and init containers what the documentation says",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(
		newRunCommand(), newJobCommand(), newManifestsCommand(), newCleanupCommand(), newAuditCommand(), newRosterCommand(), newListCommand(), newExplainCommand(), newReportCommand(),
		newKindCommand(messages), newVersionCommand(), newWorkerCommand(),
	)
	usage(root)
	return root
}

// usage makes every complaint about a command line a usage error, so that it
// ends with the documented exit code.
func usage(command *cobra.Command) {
	command.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return exit.Usagef("%w: see '%s --help'", err, cmd.CommandPath())
	})
	if check := command.Args; check != nil {
		command.Args = func(cmd *cobra.Command, args []string) error {
			if err := check(cmd, args); err != nil {
				return exit.Usagef("%w: see '%s --help'", err, cmd.CommandPath())
			}
			return nil
		}
	}
	for _, child := range command.Commands() {
		usage(child)
	}
}
