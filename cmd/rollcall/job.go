package main

import (
	"fmt"

	"github.com/spf13/cobra"
	utilrand "k8s.io/apimachinery/pkg/util/rand"

	"rollcall.dev/rollcall/framework/cluster"
	"rollcall.dev/rollcall/framework/exit"
	"rollcall.dev/rollcall/framework/job"
	"rollcall.dev/rollcall/framework/requirement"
)

func newJobCommand() *cobra.Command {
	var (
		options job.Options
		target  cluster.Target
		level   string
		out     string
	)
	command := &cobra.Command{
		Use:   "job",
		Short: "Run the suites inside the cluster as a Job",
		Long: `Run the suites inside the cluster as a Job: create it and exactly the rights that
the level needs, stream its progress, fetch its report and remove everything
again. The exit code is that of its verdict. What follows -- is added to the
Job's command line.`,
		Example: `  rollcall job --context staging --level namespace --out out
  rollcall job --context kind-rollcall -- --focus=coverage`,
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if options.Level, err = requirement.ParseLevel(level); err != nil {
				return exit.Usagef("%w", err)
			}
			if err := checkRunArgs(args); err != nil {
				return err
			}
			options.RunID, options.Args = "job-"+utilrand.String(5), args
			options.Log = cmd.OutOrStdout()
			options.Progress = func(line string) { fmt.Fprintln(cmd.ErrOrStderr(), line) }
			outcome, err := job.Start(cmd.Context(), target, options)
			if err != nil {
				return err
			}
			if err := outcome.Keep(cmd.Context(), out); err != nil {
				return err
			}
			fmt.Fprintln(cmd.OutOrStdout(), outcome.Line)
			return verdictError{outcome.Code, nil}
		},
	}
	addTargetFlags(command, &target)
	addManifestFlags(command, &options.Options, &level)
	command.Flags().BoolVar(&options.Keep, "keep", false, "leave the Job, its rights and its report in the cluster")
	command.Flags().StringVar(&out, "out", "", "folder for the report: report.json, junit.xml, report.txt, report.html")
	return command
}
