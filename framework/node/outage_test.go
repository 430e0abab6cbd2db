package node

import (
	"context"
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

// A node that has stayed Ready posts nothing for minutes: its kubelet counts as back
// as soon as it had to be.
func TestUndoOfAnOutageThatNeverBegan(t *testing.T) {
	client := fake.NewClientset(lone())
	until := time.Now().Add(300 * time.Millisecond)
	record := Record{Node: "n1", UID: "uid-1", Change: kubeletAway(until), At: time.Now()}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if _, err := awaitKubelet(ctx, client, record); err != nil {
		t.Error(err)
	}
}
