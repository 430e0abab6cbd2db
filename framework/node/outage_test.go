package node

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"
)

// lone is a node that a person has labelled and tainted and the control plane has
// tainted too.
func lone() *corev1.Node {
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: "n1", UID: "uid-1", Labels: map[string]string{"pool": "a"}, ResourceVersion: "7"},
		Spec: corev1.NodeSpec{PodCIDR: "10.0.1.0/24", Taints: []corev1.Taint{
			{Key: "team", Value: "x", Effect: corev1.TaintEffectNoSchedule},
			{Key: corev1.TaintNodeUnreachable, Effect: corev1.TaintEffectNoExecute},
		}},
		Status: corev1.NodeStatus{Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}},
	}
}

func TestTheStartIsScheduledBeforeTheStop(t *testing.T) {
	command := StopKubelet("unit", 90*time.Second)
	start, stop := strings.Index(command, "systemctl start kubelet"), strings.Index(command, "systemctl stop kubelet")
	if start < 0 || stop < start {
		t.Errorf("the kubelet must come back whatever happens: %s", command)
	}
	if !strings.Contains(command, "--on-active=95s") {
		t.Errorf("the start must follow the stop by 90 s: %s", command)
	}
}

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
		{"registered by its kubelet, without the label", &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n1", UID: "uid-2"},
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
			if err != nil || node.Labels["pool"] != "a" {
				t.Errorf("node %+v, %v", node, err)
			}
		})
	}
}

func TestUndoOfAnOutageNeedsAReadyNode(t *testing.T) {
	for _, test := range []struct {
		name  string
		ready corev1.ConditionStatus
		since time.Duration // after the record
		want  bool
	}{
		{"it has become Ready since", corev1.ConditionTrue, time.Minute, true},
		{"it has been Ready all along, and the stop may be to come", corev1.ConditionTrue, -time.Minute, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			now := time.Now()
			node := lone()
			node.Status.Conditions[0].Status = test.ready
			node.Status.Conditions[0].LastTransitionTime = metav1.NewTime(now.Add(test.since))
			if got := (Record{At: now}).renewedAfterStop(node); got != test.want {
				t.Errorf("got %v", got)
			}
		})
	}
}
