package judge_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"rollcall.dev/rollcall/framework/judge"
)

// What the kubelet before said does not count, and the API keeps whole seconds.
func TestNodeReadySince(t *testing.T) {
	restart := time.Now().Truncate(time.Second)
	for _, each := range []struct {
		said   time.Time
		status corev1.ConditionStatus
		want   bool
	}{
		{restart, corev1.ConditionTrue, true},
		{restart.Add(time.Second), corev1.ConditionFalse, false},
		{restart.Add(-time.Second), corev1.ConditionTrue, false},
	} {
		node := &corev1.Node{Status: corev1.NodeStatus{Conditions: []corev1.NodeCondition{
			{Type: corev1.NodeReady, Status: each.status, LastHeartbeatTime: metav1.NewTime(each.said)},
		}}}
		if got := judge.NodeReadySince(node, restart); got != each.want {
			t.Errorf("%s said %s after the restart: %t", each.status, each.said.Sub(restart), got)
		}
	}
}
