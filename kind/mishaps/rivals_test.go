package mishaps

import (
	"context"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	"rollcall.dev/rollcall/framework/await"
	"rollcall.dev/rollcall/framework/cluster"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/report"
)

func TestSecondRunNamesTheFirst(t *testing.T) {
	s := open(t)
	first := s.start("namespace", "coverage")
	s.awaitNamespaces(first, 3) // its own, the preflight's and that of a spec

	s.start("namespace", "coverage").mustSay(3, "is under way in this cluster since")

	first.mustSay(0, "conformant")
}

// What somebody else does to a lent node meanwhile stays, and what the run does is
// still undone.
func TestOthersCordonALentNode(t *testing.T) {
	s := open(t)
	run := s.start("node", "TOL-20")
	name := s.awaitNode(run, carries(corev1.TaintEffectNoExecute))
	s.patchNode(s.Context(), name, `{"metadata":{"labels":{"example.com/mine":"yes"}},"spec":{"unschedulable":true}}`)
	s.afterwards(func(ctx context.Context) error {
		node, err := s.client.CoreV1().Nodes().Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		if !node.Spec.Unschedulable || node.Labels["example.com/mine"] != "yes" {
			t.Errorf("the run undid what somebody else did: %v %v", node.Spec, node.Labels)
		}
		if carries(corev1.TaintEffectNoExecute)(node) {
			t.Errorf("the run left its taint: %v", node.Spec.Taints)
		}
		s.patchNode(ctx, name, `{"metadata":{"labels":{"example.com/mine":null}},"spec":{"unschedulable":null}}`)
		return s.awaitNoTaint(ctx, name, corev1.TaintNodeUnschedulable)
	})

	found := run.mustSay(2)

	if verdict, said := verdictOn(found, "TOL-20"); verdict != report.Unknown {
		t.Errorf("TOL-20 is %s, not inconclusive: %s", verdict, said)
	}
}

// patchNode changes a node as somebody else would.
func (s *stage) patchNode(ctx context.Context, name, patch string) {
	s.Helper()
	_, err := s.client.CoreV1().Nodes().Patch(ctx, name, types.StrategicMergePatchType, []byte(patch), metav1.PatchOptions{FieldManager: "somebody-else"})
	s.must(err)
}

// awaitNoTaint waits until the control plane has taken a taint off a node.
func (s *stage) awaitNoTaint(ctx context.Context, name, key string) error {
	return await.Until(ctx, s.client, s.client.CoreV1().Nodes(), await.Named(name),
		func(_ watch.EventType, node *corev1.Node) (bool, error) {
			return !judge.HasTaint(node, key), nil
		})
}

// awaitNamespaces waits until a run has made so many namespaces.
func (s *stage) awaitNamespaces(r *run, wanted int) {
	s.Helper()
	seen := map[string]bool{}
	err := await.Until(r.alive(), s.client, s.client.CoreV1().Namespaces(), await.Which{Labels: cluster.RunLabel},
		func(_ watch.EventType, namespace *corev1.Namespace) (bool, error) {
			seen[namespace.Name] = true
			return len(seen) >= wanted, nil
		})
	if err != nil {
		s.Fatalf("the run does not get that far: %v\n%s", err, r.tail())
	}
}
