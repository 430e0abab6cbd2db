package scene

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"

	"github.com/onsi/ginkgo/v2"
	corev1 "k8s.io/api/core/v1"

	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/node"
)

// SimulateNode makes a node without a machine behind it, which counts as one of
// this spec's roster and goes when the spec ends. It returns once Pods may come
// to the node, unless that is still joining.
func (s *Scene) SimulateNode(ctx context.Context, options ...node.SimulatedOption) *node.Simulated {
	ginkgo.GinkgoHelper()
	made, err := s.hand().Simulate(ctx, slices.Concat([]node.SimulatedOption{node.InRegion(region())}, options)...)
	Must(err)
	ginkgo.DeferCleanup(func(ctx context.Context) { s.dissolve(ctx, made) })
	s.enrol(made)
	s.History.Mark("make simulated node " + made.Node.Name)
	if !made.Joining {
		s.Await(ctx, limit.Status, takesPods(made.Node.Name))
	}
	return made
}

// region returns a name for the region of this spec's nodes, so that specs that
// run beside each other do not wait for each other's. It is the same in each run:
// the control plane keeps a few numbers about every region that it has ever seen.
func region() string {
	hash := fnv.New32a()
	hash.Write([]byte(ginkgo.CurrentSpecReport().FullText()))
	return fmt.Sprintf("rollcall-%08x", hash.Sum32())
}

// enrol notes a simulated node as it is now on this spec's roster.
func (s *Scene) enrol(made *node.Simulated) {
	if s.nodes[made.Node.Name] == nil {
		s.admit(made.Node, nil)
	}
	s.known(made.Node)
}

// known notes which machine a node of this spec is now, on a roster of the spec's
// own.
func (s *Scene) known(object *corev1.Node) {
	s.nodes[object.Name].uid = object.UID
	own := *s.Cluster
	own.Roster = maps.Clone(own.Roster)
	own.Roster[object.Name] = object.UID
	s.Cluster = &own
}

// simulated reports whether a node is a simulated one of this spec.
func (s *Scene) simulated(name string) bool {
	return s.nodes[name] != nil && s.nodes[name].before == nil
}

// comesAndGoes reports whether it is this spec that lets a node come and go.
func (s *Scene) comesAndGoes(name string) bool {
	return s.simulated(name) || s.nodes[name] != nil && s.nodes[name].away
}

// takesPods is the condition that a node is Ready and the control plane has taken
// the taints off that kept Pods away until then.
func takesPods(name string) judge.Condition {
	return judge.Condition{Claim: "node " + name + " is Ready and takes Pods", Lacks: func(state *history.State) string {
		object := state.Node(name)
		if object == nil {
			return "it is not there"
		}
		if !judge.NodeReady(object) || judge.HasTaint(object, corev1.TaintNodeNotReady, corev1.TaintNodeUnreachable) {
			return "it is " + judge.DescribeNode(object)
		}
		return ""
	}}
}

// Post lets a simulated node report conditions.
func (s *Scene) Post(ctx context.Context, made *node.Simulated, conditions ...corev1.NodeCondition) {
	ginkgo.GinkgoHelper()
	texts := make([]string, len(conditions))
	for i, condition := range conditions {
		texts[i] = fmt.Sprintf("%s=%s", condition.Type, condition.Status)
	}
	s.History.Mark(fmt.Sprintf("node %s reports %s", made.Node.Name, strings.Join(texts, ", ")))
	Must(made.SetConditions(ctx, conditions...))
	s.CatchUp(ctx, history.Node)
}

// PostReady lets a simulated node report whether it is Ready.
func (s *Scene) PostReady(ctx context.Context, made *node.Simulated, ready corev1.ConditionStatus) {
	ginkgo.GinkgoHelper()
	s.Post(ctx, made, corev1.NodeCondition{Type: corev1.NodeReady, Status: ready, Reason: "Simulated"})
}

// Silence ends a simulated node's heartbeat and kubelet.
func (s *Scene) Silence(made *node.Simulated) {
	s.History.Mark("silence node " + made.Node.Name)
	made.Silence()
}

// Wake lets a silent node live again, and returns once Pods may come to it.
func (s *Scene) Wake(ctx context.Context, made *node.Simulated) {
	ginkgo.GinkgoHelper()
	s.History.Mark("wake node " + made.Node.Name)
	Must(made.Wake(ctx))
	s.CatchUp(ctx, history.Node)
	s.Await(ctx, limit.Status, takesPods(made.Node.Name))
}

// Leave deletes the object of a simulated node.
func (s *Scene) Leave(ctx context.Context, made *node.Simulated) {
	ginkgo.GinkgoHelper()
	s.History.Mark("delete node " + made.Node.Name)
	Must(made.Leave(ctx))
	s.CatchUp(ctx, history.Node)
}

// Rejoin makes a simulated node that has left once more, under its name and with
// another UID, and returns once Pods may come to it.
func (s *Scene) Rejoin(ctx context.Context, made *node.Simulated) {
	ginkgo.GinkgoHelper()
	s.History.Mark("make simulated node " + made.Node.Name + " again")
	Must(made.Rejoin(ctx))
	s.enrol(made)
	s.Await(ctx, limit.Status, takesPods(made.Node.Name))
}

func (s *Scene) dissolve(ctx context.Context, made *node.Simulated) {
	ginkgo.GinkgoHelper()
	mine := s.nodes[made.Node.Name]
	Must(errors.Join(mine.undoAll(ctx, s.hand()), made.Dissolve(ctx)))
}
