package audit

import (
	"context"
	"fmt"
	"os"
	"strings"

	"rollcall.dev/rollcall/framework/cluster"
	"rollcall.dev/rollcall/framework/exit"
)

// Request is what the user asked to be audited.
type Request struct {
	Target cluster.Target
	// Folder holds the saved objects that are audited in place of a cluster.
	Folder string
	// Namespace and Name are of the DaemonSet; All asks for every one.
	Namespace, Name string
	All             bool
	// PoolLabel divides the nodes; only with All.
	PoolLabel string
	// RosterFile is the path of the roster.
	RosterFile string
}

// ParseName takes a DaemonSet as kubectl does: ds/NAME, daemonset/NAME or NAME.
func ParseName(text string) (string, error) {
	kind, name, slash := strings.Cut(text, "/")
	if !slash {
		kind, name = "ds", text
	}
	switch strings.ToLower(kind) {
	case "ds", "daemonset", "daemonsets", "daemonset.apps", "daemonsets.apps":
	default:
		return "", exit.Usagef("%q is no DaemonSet: write ds/NAME", text)
	}
	if name == "" || strings.Contains(name, "/") {
		return "", exit.Usagef("%q is no DaemonSet: write ds/NAME", text)
	}
	return name, nil
}

// Check says what is wrong with a request before anything is read.
func (r Request) Check() error {
	switch {
	case r.All && (r.Name != "" || r.Namespace != ""):
		return exit.Usagef("-A audits every DaemonSet in every namespace: leave out -n and the name")
	case r.All:
		return nil
	case r.Name == "":
		return exit.Usagef("say which DaemonSet to audit, as in: rollcall audit -n logging ds/agent --roster roster.json; or -A for all")
	case r.Namespace == "":
		return exit.Usagef("say with -n in which namespace %s is", r.Name)
	case r.PoolLabel != "":
		return exit.Usagef("--pool-label divides the table of -A")
	case r.RosterFile == "":
		return exit.Usagef("say with --roster which nodes are meant to be covered; 'rollcall roster' writes such a file")
	default:
		return nil
	}
}

// Run reads a cluster or a folder and audits it.
func (r Request) Run(ctx context.Context) (Document, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	roster, err := r.Roster()
	if err != nil {
		return nil, err
	}
	snapshot, err := r.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	if r.All {
		return document(All(snapshot, r.PoolLabel, roster))
	}
	return document(Of(snapshot, r.Namespace, r.Name, roster))
}

// document keeps a nil pointer from becoming a Document.
func document[D Document](d D, err error) (Document, error) {
	if err != nil {
		return nil, err
	}
	return d, nil
}

// Roster reads the roster file, and is nil if none was named.
func (r Request) Roster() (Roster, error) {
	if r.RosterFile == "" {
		return nil, nil
	}
	file, err := os.Open(r.RosterFile)
	if err != nil {
		return nil, exit.Usagef("the roster cannot be read: %w", err)
	}
	defer file.Close()
	roster, err := ReadRoster(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.RosterFile, err)
	}
	return roster, nil
}

// Snapshot reads the folder or the cluster.
func (r Request) Snapshot(ctx context.Context) (*Snapshot, error) {
	if r.Folder != "" {
		return Load(r.Folder, r.restriction())
	}
	connection, err := cluster.Connect(r.Target)
	if err != nil {
		return nil, err
	}
	return Collect(ctx, connection.Client, r.Namespace, r.Name)
}

// restriction is the namespace that a folder must not go beyond: the one of the
// DaemonSet, if it was read before and after on its own. A folder of all
// namespaces is fine, too.
func (r Request) restriction() string {
	if _, err := os.Stat(r.Folder + "/before.json"); err == nil {
		return r.Namespace
	}
	return ""
}
