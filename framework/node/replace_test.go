package node

import (
	"context"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/fake"
)

func TestTemplateKeepsWhatPersonsDecided(t *testing.T) {
	kept := template(lone())
	if kept.UID != "" || kept.ResourceVersion != "" || len(kept.Status.Conditions) > 0 {
		t.Errorf("identity and status are not to be kept: %+v", kept)
	}
	if kept.Labels["pool"] != "a" || kept.Spec.PodCIDR != "10.0.1.0/24" || len(kept.Spec.Taints) != 1 || kept.Spec.Taints[0].Key != "team" {
		t.Errorf("labels, addresses and the person's taint are: %+v", kept)
	}
}

// A run that is killed between the deletion and the creation leaves a record, by
// which the node is made again.
func TestUndoMakesADeletedNodeAgain(t *testing.T) {
	for _, test := range []struct {
		name   string
		remade *corev1.Node // by its kubelet, in the meantime
	}{
		{"gone", nil},
		{"registered by its kubelet, without label and taint", &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n1", UID: "uid-2"},
			Status: corev1.NodeStatus{Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			client := fake.NewClientset()
			hand := Hand{Client: client, Namespace: "home", Run: "run"}
			record, err := hand.foreseeReplacement(t.Context(), lone())
			if err != nil {
				t.Fatal(err)
			}
			if test.remade != nil {
				if err := client.Tracker().Add(test.remade); err != nil {
					t.Fatal(err)
				}
			}
			if err := recreate(t.Context(), client, record); err != nil {
				t.Fatal(err)
			}
			node, err := client.CoreV1().Nodes().Get(t.Context(), "n1", metav1.GetOptions{})
			if err != nil || node.Labels["pool"] != "a" || len(node.Spec.Taints) != 1 || node.Spec.Taints[0].Key != "team" {
				t.Errorf("node %+v, %v", node, err)
			}
		})
	}
}

// A node is not what it was while what belongs to its Node object is that of the one
// before: the garbage collector takes it.
func TestUndoOfAReplacementNeedsTheCSINode(t *testing.T) {
	node := lone()
	node.UID = "uid-2"
	for _, test := range []struct {
		owner types.UID
		want  bool
	}{{"uid-2", true}, {"uid-1", false}} {
		t.Run(string(test.owner), func(t *testing.T) {
			client := fake.NewClientset(node, &storagev1.CSINode{ObjectMeta: metav1.ObjectMeta{
				Name: "n1", OwnerReferences: []metav1.OwnerReference{{Kind: "Node", Name: "n1", UID: test.owner}},
			}})
			ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
			defer cancel()
			if err := awaitCSINode(ctx, client, "n1"); (err == nil) != test.want {
				t.Error(err)
			}
		})
	}
}
