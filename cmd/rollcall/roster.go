package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"rollcall.dev/rollcall/framework/audit"
)

func newRosterCommand() *cobra.Command {
	var (
		request audit.RosterRequest
		old     string
	)
	command := &cobra.Command{
		Use:   "roster (--label SELECTOR | --names NAMES | --names-from FILE | --csv FILE)",
		Short: "Write the roster of the nodes that a DaemonSet is meant to cover",
		Long: `Write the roster of the nodes that a DaemonSet is meant to cover: a JSON object
that maps the name of each node to its UID, for 'rollcall audit'.

The roster has to come from somewhere else than the DaemonSet's own selector: a
label that says what a node is, a list, or the export of a cloud or an inventory.
Machines of a list or an export that are no nodes stay on the roster with the
UID "` + string(audit.NotRegistered) + `", so that an audit finds them.

With --diff, what changed since an older roster is shown instead; the exit code
is 1 then if anything did.`,
		Example: `  rollcall roster --label node.kubernetes.io/pool=edge --for logging/agent > roster.json
  rollcall roster --names-from nodes.txt > roster.json
  rollcall roster --csv instances.csv --name-column 'Private DNS name' > roster.json
  rollcall roster --label node.kubernetes.io/pool=edge --diff roster.json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			roster, warnings, err := request.Build(cmd.Context())
			if err != nil {
				return err
			}
			for _, warning := range warnings {
				fmt.Fprintln(cmd.ErrOrStderr(), "warning:", warning)
			}
			if old == "" {
				return roster.Write(cmd.OutOrStdout())
			}
			before, err := audit.Request{RosterFile: old}.Roster()
			if err != nil {
				return err
			}
			changes := roster.Diff(before)
			for _, line := range changes {
				fmt.Fprintln(cmd.OutOrStdout(), line)
			}
			return verdictError{code: min(1, len(changes))}
		},
	}
	addTargetFlags(command, &request.Target)
	flags := command.Flags()
	flags.StringVar(&request.Label, "label", "", "selector of the nodes by their labels")
	flags.StringSliceVar(&request.Names, "names", nil, "names of the nodes")
	flags.StringVar(&request.NamesFile, "names-from", "", "file with a name a line")
	flags.StringVar(&request.CSVFile, "csv", "", "export of a cloud or an inventory, with headings in its first row; names, instance IDs and addresses are looked up among the nodes")
	flags.StringVar(&request.NameColumn, "name-column", "", "with --csv: the heading of the column of names (default: a usual one, such as node, name or hostname)")
	flags.StringVar(&request.UIDColumn, "uid-column", "", "with --csv: the heading of the column of Node UIDs, if it has one")
	flags.StringVar(&request.For, "for", "", "the DaemonSet, as NAMESPACE/NAME, that is going to be audited: warns if the roster comes from its own selector (default: warns of any)")
	flags.StringVar(&request.Folder, "from", "", "read the nodes that kubectl get -o json saved as *.json in this folder, not those of a cluster")
	flags.StringVar(&old, "diff", "", "show what changed since this older roster")
	return command
}
