package audit

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"rollcall.dev/rollcall/framework/cluster"
	"rollcall.dev/rollcall/framework/exit"
)

// NotRegistered stands in a roster for the UID of a machine that is meant to be a
// node and is none. An audit finds it, which leaving it out would not.
const NotRegistered types.UID = "not-registered"

// RosterRequest says where a roster comes from. Just one source is named.
type RosterRequest struct {
	Target cluster.Target
	// Folder holds saved objects that are read in place of a cluster.
	Folder string
	// Label selects nodes, Names names them, NamesFile holds a name a line, and
	// CSVFile is an export of a cloud or an inventory.
	Label     string
	Names     []string
	NamesFile string
	CSVFile   string
	// NameColumn and UIDColumn are the headings of columns of the export; empty
	// leaves the first to be found by its usual names, and the second out.
	NameColumn, UIDColumn string
	// For is the DaemonSet that is going to be audited, as NAMESPACE/NAME; empty
	// for any.
	For string
}

// Check says what is wrong with a request before anything is read.
func (r RosterRequest) Check() error {
	sources := 0
	for _, named := range []bool{r.Label != "", len(r.Names) > 0, r.NamesFile != "", r.CSVFile != ""} {
		if named {
			sources++
		}
	}
	if sources != 1 {
		return exit.Usagef("name one source of the roster: --label, --names, --names-from or --csv")
	}
	if r.CSVFile == "" && (r.NameColumn != "" || r.UIDColumn != "") {
		return exit.Usagef("--name-column and --uid-column are about --csv")
	}
	if r.For != "" && strings.Count(r.For, "/") != 1 {
		return exit.Usagef("--for takes NAMESPACE/NAME, not %q", r.For)
	}
	return nil
}

// Build reads the source and the nodes, and returns the roster with what its
// reader should be warned of.
func (r RosterRequest) Build(ctx context.Context) (Roster, []string, error) {
	if err := r.Check(); err != nil {
		return nil, nil, err
	}
	machines, err := r.machines()
	if err != nil {
		return nil, nil, err
	}
	nodes, daemonSets, err := r.cluster(ctx)
	if err != nil {
		return nil, nil, err
	}
	if r.Label == "" {
		roster, warnings := resolve(machines, nodes)
		return roster, warnings, nil
	}
	selector, err := labels.Parse(r.Label)
	if err != nil {
		return nil, nil, exit.Usagef("--label: %w", err)
	}
	roster := selected(selector, nodes)
	if len(roster) == 0 {
		return nil, nil, exit.Usagef("no node matches %s, and an empty roster is none", r.Label)
	}
	return roster, selfWitness(selector, daemonSets, r.For), nil
}

// cluster reads the nodes and the DaemonSets. Without the right to list
// DaemonSets, there are none to warn of.
func (r RosterRequest) cluster(ctx context.Context) ([]*corev1.Node, []*appsv1.DaemonSet, error) {
	if r.Folder != "" {
		s, err := load(r.Folder, "")
		if err == nil && len(s.Nodes) == 0 {
			err = noNodes(r.Folder)
		}
		if err != nil {
			return nil, nil, err
		}
		return s.Nodes, s.Before, nil
	}
	connection, err := cluster.Connect(r.Target)
	if err != nil {
		return nil, nil, err
	}
	s := newSnapshot("")
	c := collector{s, connection.Client, "", ""}
	if err := c.nodes(ctx); err != nil {
		return nil, nil, exit.Environmentf("cannot read the Nodes: %w", err)
	}
	if r.Label != "" {
		_ = each(ctx, connection.Client.AppsV1().DaemonSets("").List, metav1.ListOptions{}, func(d *appsv1.DaemonSet) { s.Before = append(s.Before, d) })
	}
	return s.Nodes, s.Before, nil
}

func selected(selector labels.Selector, nodes []*corev1.Node) Roster {
	roster := Roster{}
	for _, node := range nodes {
		if selector.Matches(labels.Set(node.Labels)) {
			roster[node.Name] = node.UID
		}
	}
	return roster
}

// selfWitness warns of DaemonSets that select their nodes by a label by which the
// roster is selected, too: a node that lost the label is missed by both.
func selfWitness(selector labels.Selector, daemonSets []*appsv1.DaemonSet, only string) []string {
	requirements, _ := selector.Requirements()
	var warnings []string
	for _, d := range daemonSets {
		name := d.Namespace + "/" + d.Name
		if only != "" && name != only {
			continue
		}
		used := keysOf(d.Spec.Template.Spec)
		for _, requirement := range requirements {
			if used[requirement.Key()] {
				warnings = append(warnings, fmt.Sprintf("DaemonSet %s selects its nodes by the label %s itself: a roster made from that label bears it out, whatever it misses", name, requirement.Key()))
			}
		}
	}
	return warnings
}

// keysOf returns the labels by which a Pod spec selects nodes.
func keysOf(spec corev1.PodSpec) map[string]bool {
	keys := map[string]bool{}
	for key := range spec.NodeSelector {
		keys[key] = true
	}
	if spec.Affinity == nil || spec.Affinity.NodeAffinity == nil || spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution == nil {
		return keys
	}
	for _, term := range spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms {
		for _, expression := range term.MatchExpressions {
			keys[expression.Key] = true
		}
	}
	return keys
}

// machine is one that is meant to be a node, as its source names it.
type machine struct {
	name string
	uid  types.UID // empty if the source does not tell
}

// machines reads the source, unless it is a label.
func (r RosterRequest) machines() ([]machine, error) {
	var found []machine
	switch {
	case len(r.Names) > 0:
		found = named(r.Names)
	case r.NamesFile != "":
		data, err := os.ReadFile(r.NamesFile)
		if err != nil {
			return nil, exit.Usagef("the names cannot be read: %w", err)
		}
		found = named(strings.Fields(string(data)))
	case r.CSVFile != "":
		file, err := os.Open(r.CSVFile)
		if err != nil {
			return nil, exit.Usagef("the export cannot be read: %w", err)
		}
		defer file.Close()
		if found, err = readCSV(file, r.NameColumn, r.UIDColumn); err != nil {
			return nil, exit.Usagef("%s: %w", r.CSVFile, err)
		}
	default:
		return nil, nil
	}
	if len(found) == 0 {
		return nil, exit.Usagef("the source names no node, and an empty roster is none")
	}
	return found, nil
}

func named(names []string) []machine {
	var found []machine
	for _, name := range names {
		if name = strings.TrimSpace(name); name != "" {
			found = append(found, machine{name: name})
		}
	}
	return found
}

// usualNames are headings under which exports keep the name of a machine.
var usualNames = []string{"node", "node_name", "nodename", "name", "hostname", "host", "private dns name", "privatednsname", "instance_id", "instance id", "instanceid", "instance"}

// readCSV reads an export whose first row holds the headings. Columns are
// separated by commas, semicolons or tabs.
func readCSV(from io.Reader, nameColumn, uidColumn string) ([]machine, error) {
	data, err := io.ReadAll(from)
	if err != nil {
		return nil, err
	}
	text := strings.TrimPrefix(string(data), "\uFEFF")
	reader := csv.NewReader(strings.NewReader(text))
	reader.Comma = separator(text)
	rows, err := reader.ReadAll()
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, errors.New("it is empty")
	}
	name, uid, err := columns(rows[0], nameColumn, uidColumn)
	if err != nil {
		return nil, err
	}
	var found []machine
	for _, row := range rows[1:] {
		m := machine{name: strings.TrimSpace(row[name])}
		if uid >= 0 {
			m.uid = types.UID(strings.TrimSpace(row[uid]))
		}
		if m.name != "" {
			found = append(found, m)
		}
	}
	return found, nil
}

func separator(text string) rune {
	heading, _, _ := strings.Cut(text, "\n")
	return slices.MaxFunc([]rune{',', ';', '\t'}, func(a, b rune) int {
		return cmp.Compare(strings.Count(heading, string(a)), strings.Count(heading, string(b)))
	})
}

// columns finds the columns of the name and the UID; that of the UID is -1 if it
// is not asked for.
func columns(heading []string, nameColumn, uidColumn string) (name, uid int, err error) {
	find := func(wanted ...string) int {
		for _, want := range wanted {
			i := slices.IndexFunc(heading, func(have string) bool { return strings.EqualFold(strings.TrimSpace(have), want) })
			if i >= 0 {
				return i
			}
		}
		return -1
	}
	wanted := usualNames
	if nameColumn != "" {
		wanted = []string{nameColumn}
	}
	if name = find(wanted...); name < 0 {
		return 0, 0, fmt.Errorf("which column holds the names? Say so with --name-column; there is %s", strings.Join(heading, ", "))
	}
	if uidColumn == "" {
		return name, -1, nil
	}
	if uid = find(uidColumn); uid < 0 {
		return 0, 0, fmt.Errorf("there is no column %q; there is %s", uidColumn, strings.Join(heading, ", "))
	}
	return name, uid, nil
}

// resolve finds the node of each machine: by name, and if no node has it, by the
// instance's ID or an address.
func resolve(machines []machine, nodes []*corev1.Node) (Roster, []string) {
	known := map[string]*corev1.Node{}
	for _, node := range nodes {
		for _, alias := range aliases(node) {
			known[alias] = node
		}
	}
	for _, node := range nodes {
		known[node.Name] = node
	}
	roster, missing := Roster{}, []string{}
	for _, m := range machines {
		node := known[m.name]
		switch {
		case node == nil:
			roster[m.name] = cmp.Or(m.uid, NotRegistered)
			missing = append(missing, m.name)
		default:
			roster[node.Name] = cmp.Or(m.uid, node.UID)
		}
	}
	if len(missing) == 0 {
		return roster, nil
	}
	return roster, []string{fmt.Sprintf("the cluster has no node for %s: each stays on the roster, and an audit finds it", several(missing))}
}

// aliases are other names under which an inventory may know a node.
func aliases(node *corev1.Node) []string {
	var found []string
	if id := node.Spec.ProviderID; id != "" {
		found = append(found, id, id[strings.LastIndexByte(id, '/')+1:])
	}
	for _, address := range node.Status.Addresses {
		found = append(found, address.Address)
	}
	return found
}

// Diff tells what changed since an older roster, a line a node.
func (r Roster) Diff(old Roster) []string {
	names := maps.Clone(map[string]types.UID(r))
	maps.Copy(names, old)
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(names)) {
		now, is := r[name]
		before, was := old[name]
		switch {
		case !was:
			lines = append(lines, fmt.Sprintf("+ %s %s", name, now))
		case !is:
			lines = append(lines, fmt.Sprintf("- %s %s", name, before))
		case now != before:
			lines = append(lines, fmt.Sprintf("~ %s %s, was %s: another machine under the same name", name, now, before))
		}
	}
	return lines
}
