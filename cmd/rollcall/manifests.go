package main

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"rollcall.dev/rollcall/fixtures/manifests"
	"rollcall.dev/rollcall/framework/audit"
	"rollcall.dev/rollcall/framework/cluster"
	"rollcall.dev/rollcall/framework/exit"
	"rollcall.dev/rollcall/framework/release"
	"rollcall.dev/rollcall/framework/requirement"
)

func newManifestsCommand() *cobra.Command {
	options := manifests.Options{RunID: "manifests"}
	var level string
	var audits auditJob
	command := &cobra.Command{
		Use:   "manifests",
		Short: "Print the Job and exactly the RBAC that a level needs",
		Long: `Print the Job and exactly the RBAC that a level needs, for kubectl apply -f -.

The verdict is then the termination message of the Job's Pod, and the report is
in a ConfigMap beside it. What follows -- is added to the Job's command line.

With --audit, it is a CronJob that audits, with the rights to read that the audit
needs and no others. What follows -- is the command line of 'rollcall audit'; -A
if nothing does.`,
		Example: `  rollcall manifests --level namespace | kubectl apply -f -
  rollcall manifests --level api -- --focus=qos
  rollcall manifests --audit --roster roster.json -- -n logging ds/agent`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if audits.wanted {
				return audits.print(cmd.OutOrStdout(), options, args)
			}
			var err error
			if audits != (auditJob{schedule: audits.schedule}) {
				return exit.Usagef("--roster is about --audit")
			}
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
	flags := command.Flags()
	flags.BoolVar(&audits.wanted, "audit", false, "print the CronJob that audits instead")
	flags.StringVar(&audits.roster, "roster", "", "with --audit: the roster, which goes into a ConfigMap")
	flags.StringVar(&audits.schedule, "schedule", "*/15 * * * *", "with --audit: when to audit, as a CronJob says it")
	return command
}

// auditJob are the flags about the CronJob that audits.
type auditJob struct {
	wanted           bool
	roster, schedule string
}

func (j auditJob) print(out io.Writer, options manifests.Options, args []string) error {
	if len(args) == 0 {
		args = []string{"-A"}
	}
	roster, err := j.readRoster()
	if err != nil {
		return err
	}
	if roster != "" {
		args = append(args, "--roster="+manifests.RosterPath)
	}
	request, err := parseAuditArgs(args)
	if err != nil {
		return err
	}
	return manifests.PrintAudit(out, manifests.AuditOptions{
		Namespace: options.Namespace, Image: options.Image, PullSecret: options.PullSecret, Schedule: j.schedule,
		Roster: roster, Grants: request.Grants(), Args: append([]string{"audit"}, args...),
	})
}

// readRoster returns the roster's text if it is a roster, and nothing if none was
// named.
func (j auditJob) readRoster() (string, error) {
	roster, err := audit.Request{RosterFile: j.roster}.Roster()
	if err != nil || roster == nil {
		return "", err
	}
	var text strings.Builder
	err = roster.Write(&text)
	return text.String(), err
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
