package mishaps

import (
	"context"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"rollcall.dev/rollcall/framework/report"
)

func TestOnlyOneWorkerIsOpen(t *testing.T) {
	s := open(t)
	s.taint(s.workers()[1:]...)

	found := s.start("namespace", "coverage,updates,initcontainers").mustAccuseNobody()

	mustSkipFor(t, found, "it needs two Ready nodes")
}

func TestEveryWorkerHasATaintOfItsUser(t *testing.T) {
	s := open(t)
	s.taint(s.workers()...)

	found := s.start("namespace", "coverage,initcontainers,tolerations").mustAccuseNobody()

	mustSkipFor(t, found, "no Ready node takes an ordinary Pod")
}

func TestNodeJoinsAndLeavesDuringARun(t *testing.T) {
	s := open(t)
	run := s.start("namespace", "coverage,tolerations")
	s.awaitNamespaces(run, 5)
	s.join(node("comes-and-goes", nil))
	s.awaitNamespaces(run, 25)
	s.leave("comes-and-goes")

	run.mustAccuseNobody()
}

// Nodes that no kubelet for Linux runs are counted out, and the run says so.
func TestNodesOfAnotherKind(t *testing.T) {
	s := open(t)
	s.join(node("windows", map[string]string{corev1.LabelOSStable: "windows"}))
	virtual := node("virtual", map[string]string{"type": "virtual-kubelet"})
	virtual.Spec.Taints = []corev1.Taint{{Key: "virtual-kubelet.io/provider", Value: "example", Effect: corev1.TaintEffectNoSchedule}}
	s.join(virtual)

	found := s.start("namespace", "coverage,tolerations").mustSay(0)

	for _, each := range found.Cluster.Nodes {
		if (each.Name == "windows" || each.Name == "virtual") && each.Excluded == "" {
			t.Errorf("node %s is on the roster", each.Name)
		}
	}
}

// taint keeps ordinary Pods off nodes, as their owner may.
func (s *stage) taint(names ...string) {
	s.Helper()
	for _, name := range names {
		s.patchNode(s.Context(), name, `{"spec":{"taints":[{"key":"example.com/team","value":"a","effect":"NoSchedule"}]}}`)
		s.afterwards(func(ctx context.Context) error {
			s.patchNode(ctx, name, `{"spec":{"taints":null}}`)
			return nil
		})
	}
}

// node is a Node object behind which there is no machine.
func node(name string, labels map[string]string) *corev1.Node {
	if labels == nil {
		labels = map[string]string{}
	}
	labels[corev1.LabelHostname] = name
	return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}}
}

func (s *stage) join(node *corev1.Node) {
	s.Helper()
	_, err := s.client.CoreV1().Nodes().Create(s.Context(), node, metav1.CreateOptions{})
	s.must(err)
	s.afterwards(func(ctx context.Context) error {
		_ = s.client.CoreV1().Nodes().Delete(ctx, node.Name, metav1.DeleteOptions{}) // it may have left
		return nil
	})
}

func (s *stage) leave(name string) {
	s.Helper()
	s.must(s.client.CoreV1().Nodes().Delete(s.Context(), name, metav1.DeleteOptions{}))
}

// mustSkipFor fails the test unless something is skipped for a reason, before it is
// begun and found inconclusive.
func mustSkipFor(t *testing.T, found *report.ConformanceReport, reason string) {
	t.Helper()
	for _, result := range found.Results {
		if result.Verdict == report.Unknown {
			t.Errorf("%s is not skipped: %v", result.ID, result.Specs)
		}
	}
	for _, result := range found.Results {
		if result.Verdict == report.Skipped && result.Required && strings.Contains(result.Reason, reason) {
			return
		}
	}
	t.Errorf("nothing is skipped because %s", reason)
}
