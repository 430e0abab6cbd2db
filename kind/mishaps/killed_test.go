package mishaps

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/watch"

	"rollcall.dev/rollcall/framework/await"
	"rollcall.dev/rollcall/framework/cluster"
	"rollcall.dev/rollcall/framework/judge"
)

// Whatever a run does to a node, it may be killed in the midst of it.
func TestKilledRunLeavesNothingOnANode(t *testing.T) {
	for name, at := range map[string]struct {
		level, focus string
		begun        func(*corev1.Node) bool
	}{
		"while a node is cordoned":                {"node", "DRN-20", cordoned},
		"while a node carries a NoSchedule taint": {"node", "TOL-21", carries(corev1.TaintEffectNoSchedule)},
		"while a node carries a NoExecute taint":  {"node", "TOL-20", carries(corev1.TaintEffectNoExecute)},
		"in the middle of a drain":                {"node", "DRN-18", cordoned},
		"while a kubelet is stopped":              {"outage", "OUT-01", silent},
		"while simulated nodes are there":         {"simulated", "NODE-04", simulated},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			run := s.start(at.level, at.focus)

			s.awaitNode(run, at.begun)
			run.kill()
			// That all is as it was is seen when the test ends.
		})
	}
}

func TestRunThatIsToldToStopLeavesNothing(t *testing.T) {
	s := open(t)
	run := s.start("outage", "DRN-20,TOL-20,OUT-01")

	s.awaitNode(run, carries(corev1.TaintEffectNoExecute))
	run.stop()

	found := run.mustSay(4)
	if found == nil || len(found.Results) == 0 {
		t.Error("the verdicts of an interrupted run are lost")
	}
}

func cordoned(node *corev1.Node) bool { return lent(node) && node.Spec.Unschedulable }

func simulated(node *corev1.Node) bool { return node.Labels[cluster.SimulatedLabel] != "" }

func lent(node *corev1.Node) bool { return node.Labels[cluster.LentLabel] == "true" }

func silent(node *corev1.Node) bool {
	ready := judge.NodeCondition(node, corev1.NodeReady)
	return lent(node) && ready != nil && ready.Status == corev1.ConditionUnknown
}

func carries(effect corev1.TaintEffect) func(*corev1.Node) bool {
	return func(node *corev1.Node) bool {
		return lent(node) && slices.ContainsFunc(node.Spec.Taints, func(t corev1.Taint) bool { return t.Effect == effect })
	}
}

// awaitNode waits until a run has done something to a node, and returns which.
func (s *stage) awaitNode(r *run, done func(*corev1.Node) bool) (name string) {
	s.Helper()
	err := await.Until(r.alive(), s.client, s.client.CoreV1().Nodes(), await.Which{},
		func(_ watch.EventType, node *corev1.Node) (bool, error) {
			name = node.Name
			return done(node), nil
		})
	if err != nil {
		s.Fatalf("the run does not get that far: %v\n%s", err, r.tail())
	}
	return name
}
