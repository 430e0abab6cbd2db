package scene

import (
	"fmt"
	"strings"

	"github.com/onsi/ginkgo/v2"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/watch"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/cluster"
	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/judge"
)

// Eligible divides the cluster's nodes, as they are now, by whether a DaemonSet
// belongs on them, by rollcall's own reading of the documentation. One that was
// not created only serves to pick a node, and makes none matter by itself.
func (s *Scene) Eligible(daemonSet *appsv1.DaemonSet) judge.Nodes {
	if daemonSet.UID != "" {
		s.asked = append(s.asked, daemonSet.Spec.Template.Spec)
	}
	return judge.EligibleNodes(daemonSet, s.History.Latest().Nodes(), s.Roster)
}

// rosterChanges lists what happened to the nodes that matter to this spec: those
// of the roster, compared with the start of the run and then from change to
// change, and those that joined.
func (s *Scene) rosterChanges() []string {
	if s.apart {
		return nil
	}
	var changes []string
	last, concern := map[string]string{}, s.concern()
	for _, change := range s.History.Changes() {
		if change.Kind != history.Node {
			continue
		}
		name := change.Object.GetName()
		text := ""
		if _, meant := s.Roster[name]; meant {
			now := s.describeMember(change)
			text = became(name, last[name], now)
			last[name] = now
		} else {
			text = joined(s.History, change)
		}
		if text != "" && concern.includes(name) {
			changes = append(changes, text)
		}
	}
	return append(s.missing(last, concern), changes...)
}

// became tells how a node changed; before is empty if it was not known until now.
func became(name, before, now string) string {
	if before == "" || before == now {
		return ""
	}
	return fmt.Sprintf("%s was %s and became %s", name, before, now)
}

// missing lists what the roster names and the recording never saw, or saw as
// another machine, when it began.
func (s *Scene) missing(seen map[string]string, concern concern) []string {
	var changes []string
	for name, uid := range s.Roster {
		if s.comesAndGoes(name) || !concern.includes(name) && !s.mayInclude(concern, name) {
			continue
		}
		if seen[name] == "" {
			changes = append(changes, name+" left before the spec began")
			continue
		}
		if first := firstNode(s.History, name); first != nil && first.Object.GetUID() != uid {
			changes = append(changes, name+" was replaced by another machine before the spec began")
		}
	}
	return changes
}

func firstNode(h *history.Recorder, name string) *history.Change {
	for _, change := range h.Changes() {
		if change.Kind == history.Node && change.Object.GetName() == name {
			return &change
		}
	}
	return nil
}

// joined tells of a node that came during the recording. One that could never
// be on the roster does not matter.
func joined(h *history.Recorder, change history.Change) string {
	came := change.Type == watch.Added && change.At.After(h.Began)
	if !came || cluster.Excluded(history.AsNode(change.Object)) != "" {
		return ""
	}
	return change.Object.GetName() + " joined"
}

// describeMember tells of a node all that matters to other specs but what this
// one did to it.
func (s *Scene) describeMember(change history.Change) string {
	node := s.asFound(history.AsNode(change.Object))
	if node == nil {
		return "the spec's own"
	}
	if change.Type == watch.Deleted {
		return "gone"
	}
	return fmt.Sprintf("%s (UID %s)", judge.DescribeNode(node), node.UID)
}

// Pick returns n nodes for a DaemonSet whose spec claims nothing of all nodes, or as
// many as there are: a big cluster need not pay with a Pod a node for it. With
// fewer than least the verdict is inconclusive.
func (s *Scene) Pick(n, least int) []string {
	ginkgo.GinkgoHelper()
	eligible := s.Targets(fixtures.DaemonSet("anywhere"), least).Eligible
	return eligible[:min(n, len(eligible))]
}

// OnSome keeps a Pod to the nodes that Pick returns.
func (s *Scene) OnSome(n, least int) fixtures.PodOption {
	ginkgo.GinkgoHelper()
	return fixtures.OnNodes(s.Pick(n, least)...)
}

// Targets is Eligible for a spec that proves nothing with fewer than n nodes:
// without them the verdict is inconclusive.
func (s *Scene) Targets(daemonSet *appsv1.DaemonSet, n int) judge.Nodes {
	ginkgo.GinkgoHelper()
	nodes := s.Eligible(daemonSet)
	if nodes.Len() < n {
		Doubt("only %d nodes of the roster are eligible, and this needs %d: %s", nodes.Len(), n, strings.Join(nodes.Excuses(), "; "))
		ginkgo.Fail("too few eligible nodes")
	}
	return nodes
}
