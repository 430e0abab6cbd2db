package cluster

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/version"

	"rollcall.dev/rollcall/framework/exit"
	"rollcall.dev/rollcall/framework/judge"
)

// firstAnswer bounds the first call to a cluster, on which every other depends.
const firstAnswer = 8 * time.Second

// nodeNameEnv is where the Job's Pod finds the name of its own node.
const nodeNameEnv = "NODE_NAME"

// Roster is the nodes that are meant to be covered, by name. The UID tells a
// node from another one that took its name later.
type Roster map[string]types.UID

// Facts is what a cluster is made of, at one instant.
type Facts struct {
	// Version is the API server's; GitVersion is the same as it spells it.
	Version    *version.Version
	GitVersion string
	// UID is that of the namespace kube-system, which lives as long as the
	// cluster. It is empty where the caller may not read it.
	UID    types.UID
	Nodes  []Node
	Roster Roster
	// Warnings are what an operator should know, a line each.
	Warnings []string
	// spared tells of each lent node that is left alone all the same, and why.
	spared []string
}

// Node is a node and what rollcall thinks of it.
type Node struct {
	corev1.Node
	Ready bool
	// Lent says that the node may be disturbed.
	Lent bool
	// Excluded is why the node is not on the roster; empty if it is.
	Excluded string
}

// LentSelector parses the selector for lent nodes; an empty text means the
// label rollcall.dev/lent=true. Its error is an exit.UsageError.
func LentSelector(text string) (labels.Selector, error) {
	if text == "" {
		return labels.SelectorFromSet(labels.Set{LentLabel: "true"}), nil
	}
	selector, err := labels.Parse(text)
	if err != nil {
		return nil, exit.Usagef("the selector for lent nodes %q: %w", text, err)
	}
	return selector, nil
}

// Describe reads what the cluster is made of. lent selects the lent nodes; nil
// means the label rollcall.dev/lent=true. A server that does not answer, or
// does not let the caller in, is an exit.EnvironmentError of one line.
func (c *Connection) Describe(ctx context.Context, lent labels.Selector) (*Facts, error) {
	facts, err := c.serverFacts(ctx)
	if err != nil {
		return nil, err
	}
	// Which cluster it is helps a reader of the report; a run can do without.
	if system, err := c.Client.CoreV1().Namespaces().Get(ctx, metav1.NamespaceSystem, metav1.GetOptions{}); err == nil {
		facts.UID = system.UID
	}
	nodes, err := c.Client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, environment(err, "listing the nodes of %s", c.Server)
	}
	if lent == nil {
		lent, _ = LentSelector("")
	}
	facts.addNodes(nodes.Items, lent)
	return facts, nil
}

func (c *Connection) serverFacts(ctx context.Context) (*Facts, error) {
	ctx, cancel := context.WithTimeout(ctx, firstAnswer)
	defer cancel()
	info, err := c.Client.Discovery().ServerVersionWithContext(ctx)
	if err != nil {
		return nil, environment(err, "the API server %s does not answer", c.Server)
	}
	parsed, err := version.ParseGeneric(info.GitVersion)
	if err != nil {
		return nil, environment(err, "the API server %s reports the version %q", c.Server, info.GitVersion)
	}
	return &Facts{Version: parsed, GitVersion: info.GitVersion, Roster: Roster{}}, nil
}

func (f *Facts) addNodes(nodes []corev1.Node, lent labels.Selector) {
	for _, object := range nodes {
		node := Node{Node: object, Ready: judge.NodeReady(&object), Excluded: Excluded(&object)}
		if node.Excluded == "" {
			f.Roster[node.Name] = node.UID
			if !node.Ready {
				f.warn("node %s is on the roster and not Ready", node.Name)
			}
		}
		f.Nodes = append(f.Nodes, node)
	}
	f.lend(lent)
}

// lend marks the nodes that may be disturbed. Never the one that the run stands
// on, and a control-plane node only if no other node is lent.
func (f *Facts) lend(selector labels.Selector) {
	var workers, others []int
	for i, node := range f.Nodes {
		switch {
		case node.Excluded != "" || !selector.Matches(labels.Set(node.Labels)):
		case node.Name == os.Getenv(nodeNameEnv):
			f.spare(node.Name, "this run stands on it")
		case controlPlane(&node.Node):
			others = append(others, i)
		default:
			workers = append(workers, i)
		}
	}
	chosen := workers
	if len(workers) == 0 {
		chosen = others
	} else {
		for _, i := range others {
			f.spare(f.Nodes[i].Name, "it is a control-plane node")
		}
	}
	for _, i := range chosen {
		f.Nodes[i].Lent = true
	}
}

func (f *Facts) warn(format string, args ...any) {
	f.Warnings = append(f.Warnings, fmt.Sprintf(format, args...))
}

func (f *Facts) spare(node, why string) {
	f.spared = append(f.spared, fmt.Sprintf("node %s is lent and left alone: %s", node, why))
}

// OnRoster returns the nodes of the roster, in the order of their names.
func (f *Facts) OnRoster() []Node {
	return slices.DeleteFunc(slices.Clone(f.Nodes), func(n Node) bool { return n.Excluded != "" })
}

func controlPlane(node *corev1.Node) bool {
	_, yes := node.Labels["node-role.kubernetes.io/control-plane"]
	return yes
}
