package node

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/fake"
)

const home = "rollcall"

// worker is a Ready node.
func worker(name string, options ...func(*corev1.Node)) *corev1.Node {
	node := &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID("uid-of-" + name), ResourceVersion: "1", Labels: map[string]string{"zone": "a"}},
		Status:     corev1.NodeStatus{Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}},
	}
	for _, option := range options {
		option(node)
	}
	return node
}

func isCordoned(node *corev1.Node) { node.Spec.Unschedulable = true }

func isTainted(key string) func(*corev1.Node) {
	return func(node *corev1.Node) {
		node.Spec.Taints = append(node.Spec.Taints, corev1.Taint{Key: key, Effect: corev1.TaintEffectNoSchedule})
	}
}

// handOn is a run's hand on a cluster of these objects.
func handOn(objects ...runtime.Object) (Hand, *fake.Clientset) {
	client := fake.NewClientset(objects...)
	return Hand{Client: client, Namespace: home, Run: "run1"}, client
}

func getNode(t *testing.T, hand Hand, name string) *corev1.Node {
	t.Helper()
	node, err := hand.Client.CoreV1().Nodes().Get(t.Context(), name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return node
}

// edit is what somebody else does to a node.
func edit(t *testing.T, hand Hand, name string, change func(*corev1.Node)) {
	t.Helper()
	node := getNode(t, hand, name)
	change(node)
	if _, err := hand.Client.CoreV1().Nodes().Update(t.Context(), node, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
}

func records(t *testing.T, hand Hand) []Record {
	t.Helper()
	found, err := Records(t.Context(), hand.Client, home, "")
	if err != nil {
		t.Fatal(err)
	}
	return found
}
