package kind

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"
)

func TestAwaitEndsWhenAllNodesAreReady(t *testing.T) {
	client := fake.NewClientset(node("a", corev1.ConditionTrue), node("b", corev1.ConditionTrue))
	if err := (readiness{"a": "new", "b": "new"}).await(t.Context(), client, 10*time.Second); err != nil {
		t.Fatal(err)
	}
}

func TestAwaitNamesTheNodesThatAreNotReady(t *testing.T) {
	client := fake.NewClientset(node("a", corev1.ConditionTrue), node("b", corev1.ConditionFalse), node("stranger", corev1.ConditionFalse))
	err := readiness{"a": "new", "b": "new", "c": "no such Node"}.await(t.Context(), client, time.Second)
	if err == nil {
		t.Fatal("two nodes are not Ready, and the wait ended well")
	}
	for _, text := range []string{"b (KubeletNotReady: no network)", "c (no such Node)"} {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("%q is not in: %v", text, err)
		}
	}
	if strings.Contains(err.Error(), "a (") || strings.Contains(err.Error(), "stranger") {
		t.Errorf("a node that is Ready or not ours is named: %v", err)
	}
}

func TestAwaitFollowsChanges(t *testing.T) {
	waiting := readiness{"a": "new"}
	waiting.see(node("a", corev1.ConditionFalse), false)
	if waiting["a"] != "KubeletNotReady: no network" {
		t.Errorf("got %q", waiting["a"])
	}
	waiting.see(node("a", corev1.ConditionTrue), false)
	if len(waiting) != 0 {
		t.Errorf("a Ready node is still waited for: %s", waiting)
	}
	waiting.see(node("a", corev1.ConditionTrue), true)
	if waiting["a"] != "no such Node" {
		t.Errorf("a deleted node is not waited for: %q", waiting["a"])
	}
}

func node(name string, ready corev1.ConditionStatus) *corev1.Node {
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Status: corev1.NodeStatus{Conditions: []corev1.NodeCondition{{
			Type: corev1.NodeReady, Status: ready, Reason: "KubeletNotReady", Message: "no network",
		}}},
	}
}
