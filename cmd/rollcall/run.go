package main

import (
	"io"
	"os"

	"github.com/spf13/cobra"

	"rollcall.dev/rollcall/framework/cluster"
	"rollcall.dev/rollcall/framework/exit"
	"rollcall.dev/rollcall/framework/release"
	"rollcall.dev/rollcall/framework/report"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/run"
	"rollcall.dev/rollcall/suites"
)

func newRunCommand() *cobra.Command {
	flags := &runFlags{}
	command := &cobra.Command{
		Use:   "run",
		Short: "Run the suites from here against a kubeconfig context",
		Long: `Run the suites from here against a kubeconfig context.

The cluster is named with --context. Without it, the current context is taken
only if it is a kind cluster. Exit codes: 0 conformant, 1 not conformant,
2 partial or inconclusive, 3 could not run, 4 interrupted, 64 wrong usage.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			settings, err := flags.settings()
			if err != nil {
				return err
			}
			found, err := run.Run(cmd.Context(), suites.All, settings, cmd.OutOrStdout())
			return tell(cmd.OutOrStdout(), found, err)
		},
	}
	flags.addTo(command)
	return command
}

// runFlags are the flags of the verb run. The verb job hands them on, and
// checks them before it creates anything.
type runFlags struct {
	run.Settings
	level string
}

func (f *runFlags) settings() (run.Settings, error) {
	var err error
	if f.Level, err = requirement.ParseLevel(f.level); err != nil {
		return f.Settings, exit.Usagef("%w", err)
	}
	return f.Settings, nil
}

func (f *runFlags) addTo(command *cobra.Command) {
	flags := command.Flags()
	addTargetFlags(command, &f.Target)
	flags.StringVar(&f.level, "level", string(requirement.Namespace), "how far the run may reach: api, namespace, simulated, node or outage")
	flags.StringSliceVar(&f.Focus, "focus", nil, "requirements (COV-01) or areas (coverage) to check; all if empty")
	flags.StringSliceVar(&f.Skip, "skip", nil, "requirements or areas to leave out")
	flags.StringVarP(&f.Namespace, "namespace", "n", cluster.DefaultNamespace, "rollcall's own namespace, for its lock and its report")
	flags.StringVar(&f.Image, "image", release.Image, "the image of every Pod that a spec starts")
	flags.StringVar(&f.PullSecret, "image-pull-secret", "", "a secret of rollcall's namespace with which nodes pull the image")
	flags.StringVar(&f.Lent, "lent-nodes", "", "label selector of the nodes that are free to disturb (default "+cluster.LentLabel+"=true)")
	flags.BoolVar(&f.EvictOthers, "evict-others", false, "disturb lent nodes even if that evicts Pods that are not rollcall's")
	flags.StringVar(&f.Kubectl, "kubectl", "", "path of a kubectl to cordon and drain with (default the one built in)")
	flags.IntVar(&f.Parallel, "parallel", 8, "how many specs run at a time")
	flags.Float64Var(&f.Scale, "timeout-scale", 1, "multiplies every time limit; raise it on a slow cluster")
	flags.StringVar(&f.Out, "out", "", "folder for the report: report.json, junit.xml, report.txt, report.html; and for histories/ of the specs that fail")
	flags.BoolVar(&f.AllHistories, "all-histories", false, "keep the histories of the specs that pass too")
	_ = flags.MarkHidden("all-histories") // for recording what judges are tested with
	flags.BoolVar(&f.KeepReport, "report-configmap", false, "keep the report in ConfigMap "+report.ConfigMapName+" of rollcall's namespace, which must be there")
	flags.BoolVar(&f.Sonobuoy, "sonobuoy", os.Getenv("SONOBUOY") == "true", "hand the report over as a Sonobuoy plugin does")
}

// checkRunArgs says what is wrong with a command line of the verb run that
// another machine is going to carry out.
func checkRunArgs(args []string) error {
	flags := &runFlags{}
	command := &cobra.Command{Use: "run"}
	flags.addTo(command)
	if err := command.ParseFlags(args); err != nil {
		return exit.Usagef("%w: see 'rollcall run --help'", err)
	}
	if extra := command.Flags().Args(); len(extra) > 0 {
		return exit.Usagef("%q is no flag of 'rollcall run'", extra[0])
	}
	settings, err := flags.settings()
	if err != nil {
		return err
	}
	return run.Check(suites.All, settings)
}

// tell prints a run's report and returns the error that carries its exit code.
// A run that could not begin has no verdict to print, only a reason.
func tell(out io.Writer, found *report.ConformanceReport, err error) error {
	if found == nil || found.Conclusion == report.CouldNotRun {
		return err
	}
	if err := report.WriteText(out, found, report.Colourful(out)); err != nil {
		return err
	}
	return verdictError{found.Conclusion.ExitCode(), err}
}

func addTargetFlags(command *cobra.Command, target *cluster.Target) {
	command.Flags().StringVar(&target.Kubeconfig, "kubeconfig", "", "path of the kubeconfig file (default $KUBECONFIG, then ~/.kube/config)")
	command.Flags().StringVar(&target.Context, "context", "", "the kubeconfig context to use")
}
