package main

import (
	"github.com/spf13/cobra"

	"rollcall.dev/rollcall/framework/audit"
	"rollcall.dev/rollcall/framework/exit"
)

func newAuditCommand() *cobra.Command {
	flags := &auditFlags{}
	command := &cobra.Command{
		Use:   "audit (ds/NAME -n NAMESPACE (--roster FILE | --watch) | -A)",
		Short: "Tell whether every node that was meant is covered by a DaemonSet, and if not, why",
		Long: `Tell whether every node that was meant is covered by a DaemonSet, and if not, why.

The roster says which nodes are meant. It is a JSON object that maps the name of
each node to its UID, and must come from anywhere but the DaemonSet's own
selector; 'rollcall roster' writes one. Nothing is written to the cluster.

With -A, every DaemonSet is shown, pool by pool, with the nodes where it belongs
by its spec and has no Ready Pod, and those that no counter of it shows.

With --watch, one DaemonSet is followed live: each change of a node's Pods, their
versions, readiness and restarts, CPU and memory where they are served, and when
and where a rollout broke its budget. Interrupt it to get the verdict: exit code
1 if a budget was broken or a node, of the roster if there is one and else of those
on which it belongs by its spec, is without an available Pod at the end.

Exit codes:
  0   with a roster: of every node of it, the UID is that of the roster and the
      node is Ready; each has exactly one Pod of the DaemonSet, which is Running,
      Ready and not terminating; and the DaemonSet has no other Pod.
      With -A: no DaemonSet lacks a Ready Pod on a node where it belongs.
  1   there are findings. A state that passes by itself, such as the second Pod
      of a rollout with maxSurge, is a finding too, and told apart as such
  3   could not run: no access, a DaemonSet that is not there, is being deleted
      or changed during the collection, or objects that contradict each other
  4   interrupted
  2   only of --watch: it lost changes, and what is said of budgets is not proven
  64  wrong usage, or a roster that is refused`,
		Example: `  rollcall roster --label node-role.example.com/edge=true > roster.json
  rollcall audit -n logging ds/agent --roster roster.json
  rollcall audit -n logging ds/agent --roster roster.json -o html > ticket.html
  rollcall audit -A --pool-label node.kubernetes.io/instance-type

  rollcall audit --watch -n logging ds/agent --until-done

  # offline, from what kubectl saved
  kubectl get nodes,daemonsets,pods,events,controllerrevisions -A -o json > saved/all.json
  rollcall audit -A --from saved`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			request, err := flags.request(args)
			if err != nil {
				return err
			}
			if flags.watch {
				code, err := request.Watch(cmd.Context(), flags.howLong, cmd.OutOrStdout())
				if err != nil {
					return err
				}
				return verdictError{code: code}
			}
			audit.SpareMemory()
			found, err := request.Run(cmd.Context())
			if err != nil {
				return err
			}
			if err := audit.Write(cmd.OutOrStdout(), found, flags.output); err != nil {
				return err
			}
			return verdictError{code: found.ExitCode()}
		},
	}
	flags.addTo(command)
	return command
}

// auditFlags are the flags of the verb audit. The verb manifests hands them on,
// and checks them before it prints anything.
type auditFlags struct {
	audit.Request
	output  string
	watch   bool
	howLong audit.Watch
}

func (f *auditFlags) addTo(command *cobra.Command) {
	flags := command.Flags()
	addTargetFlags(command, &f.Target)
	flags.StringVarP(&f.Namespace, "namespace", "n", "", "the DaemonSet's namespace")
	flags.BoolVarP(&f.All, "all-namespaces", "A", false, "every DaemonSet of every namespace")
	flags.StringVar(&f.PoolLabel, "pool-label", "", "with -A: the label of nodes that tells their pool")
	flags.StringVar(&f.RosterFile, "roster", "", "the file that maps the names of the nodes that are meant to their UIDs")
	flags.StringVar(&f.Folder, "from", "", "audit the objects that kubectl get -o json saved as *.json in this folder, not a cluster")
	flags.BoolVarP(&f.watch, "watch", "w", false, "follow the DaemonSet until interrupted and judge the budgets of its rollouts; a roster is optional then")
	flags.DurationVar(&f.howLong.For, "for", 0, "with --watch: end after this time")
	flags.BoolVar(&f.howLong.UntilDone, "until-done", false, "with --watch: end once every node has an available Pod of the newest version")
	flags.StringVarP(&f.output, "output", "o", "text", "output format: text, json or html")
}

func (f *auditFlags) request(args []string) (audit.Request, error) {
	if err := audit.CheckFormat(f.output); err != nil {
		return f.Request, err
	}
	if len(args) > 0 {
		name, err := audit.ParseName(args[0])
		if err != nil {
			return f.Request, err
		}
		f.Name = name
	}
	switch {
	case f.watch:
		return f.Request, f.CheckWatch()
	case f.howLong != audit.Watch{}:
		return f.Request, exit.Usagef("--for and --until-done are about --watch")
	default:
		return f.Request, f.Check()
	}
}

// parseAuditArgs reads a command line of the verb audit that a Pod is going to
// carry out, and says what is wrong with it.
func parseAuditArgs(args []string) (audit.Request, error) {
	flags := &auditFlags{}
	command := &cobra.Command{Use: "audit"}
	flags.addTo(command)
	if err := command.ParseFlags(args); err != nil {
		return flags.Request, exit.Usagef("%w: see 'rollcall audit --help'", err)
	}
	if flags.watch || flags.Folder != "" {
		return flags.Request, exit.Usagef("a CronJob audits the cluster that it is in, now and then: leave out --watch and --from")
	}
	names := command.Flags().Args()
	if len(names) > 1 {
		return flags.Request, exit.Usagef("%q is one DaemonSet too many", names[1])
	}
	return flags.request(names)
}
