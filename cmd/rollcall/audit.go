package main

import (
	"github.com/spf13/cobra"

	"rollcall.dev/rollcall/framework/audit"
)

func newAuditCommand() *cobra.Command {
	flags := &auditFlags{}
	command := &cobra.Command{
		Use:   "audit (ds/NAME -n NAMESPACE --roster FILE | -A)",
		Short: "Tell whether every node that was meant is covered by a DaemonSet, and if not, why",
		Long: `Tell whether every node that was meant is covered by a DaemonSet, and if not, why.

The roster says which nodes are meant. It is a JSON object that maps the name of
each node to its UID, and must come from anywhere but the DaemonSet's own
selector; 'rollcall roster' writes one. Nothing is written to the cluster.

With -A, every DaemonSet is shown, pool by pool, with the nodes where it belongs
by its spec and has no Ready Pod, and those that no counter of it shows.

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
  64  wrong usage, or a roster that is refused`,
		Example: `  rollcall roster --label node-role.example.com/edge=true > roster.json
  rollcall audit -n logging ds/agent --roster roster.json
  rollcall audit -n logging ds/agent --roster roster.json -o html > ticket.html
  rollcall audit -A --pool-label node.kubernetes.io/instance-type

  # offline, from what kubectl saved
  kubectl get nodes,daemonsets,pods,events,controllerrevisions -A -o json > saved/all.json
  rollcall audit -A --from saved`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			request, err := flags.request(args)
			if err != nil {
				return err
			}
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
	output string
}

func (f *auditFlags) addTo(command *cobra.Command) {
	flags := command.Flags()
	addTargetFlags(command, &f.Target)
	flags.StringVarP(&f.Namespace, "namespace", "n", "", "the DaemonSet's namespace")
	flags.BoolVarP(&f.All, "all-namespaces", "A", false, "every DaemonSet of every namespace")
	flags.StringVar(&f.PoolLabel, "pool-label", "", "with -A: the label of nodes that tells their pool")
	flags.StringVar(&f.RosterFile, "roster", "", "the file that maps the names of the nodes that are meant to their UIDs")
	flags.StringVar(&f.Folder, "from", "", "audit the objects that kubectl get -o json saved as *.json in this folder, not a cluster")
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
	return f.Request, f.Check()
}
