package main

import (
	"github.com/spf13/cobra"

	"rollcall.dev/rollcall/fixtures/manifests"
	"rollcall.dev/rollcall/framework/cluster"
	"rollcall.dev/rollcall/framework/exit"
	"rollcall.dev/rollcall/framework/release"
	"rollcall.dev/rollcall/framework/requirement"
)

func newManifestsCommand() *cobra.Command {
	options := manifests.Options{RunID: "manifests"}
	var level string
	command := &cobra.Command{
		Use:   "manifests",
		Short: "Print the Job and exactly the RBAC that a level needs",
		Long: `Print the Job and exactly the RBAC that a level needs, for kubectl apply -f -.

The verdict is then the termination message of the Job's Pod, and the report is
in a ConfigMap beside it. What follows -- is added to the Job's command line.`,
		Example: `  rollcall manifests --level namespace | kubectl apply -f -
  rollcall manifests --level api -- --focus=qos`,
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if options.Level, err = requirement.ParseLevel(level); err != nil {
				return exit.Usagef("%w", err)
			}
			if err := checkRunArgs(args); err != nil {
				return err
			}
			options.Args = args
			return manifests.Print(cmd.OutOrStdout(), options)
		},
	}
	addManifestFlags(command, &options, &level)
	return command
}

// addManifestFlags adds the flags that say what the Job is like.
func addManifestFlags(command *cobra.Command, options *manifests.Options, level *string) {
	flags := command.Flags()
	flags.StringVar(level, "level", string(requirement.Namespace), "how far the run may reach: api, namespace, simulated, node or outage")
	flags.StringVarP(&options.Namespace, "namespace", "n", cluster.DefaultNamespace, "rollcall's own namespace")
	flags.StringVar(&options.Image, "image", release.Image, "the image of the Job and of every Pod that a spec starts")
	flags.StringVar(&options.PullSecret, "image-pull-secret", "", "a secret of the namespace with which nodes pull the image")
	flags.DurationVar(&options.Deadline, "deadline", manifests.DefaultDeadline, "how long the Job may take")
}
