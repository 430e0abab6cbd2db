package judge_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"rollcall.dev/rollcall/framework/judge"
)

func endpointOf(pod *corev1.Pod, ready, serving, terminating bool) *discoveryv1.EndpointSlice {
	return &discoveryv1.EndpointSlice{
		ObjectMeta: metav1.ObjectMeta{Name: "agents-1", UID: "slice"},
		Endpoints: []discoveryv1.Endpoint{{
			TargetRef:  &corev1.ObjectReference{UID: pod.UID},
			Conditions: discoveryv1.EndpointConditions{Ready: ptr.To(ready), Serving: ptr.To(serving), Terminating: ptr.To(terminating)},
		}},
	}
}

func TestEndpointConditions(t *testing.T) {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "agent", UID: "agent-1"}}
	other := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "agent", UID: "agent-2"}}
	for _, test := range []struct {
		name                   string
		slice                  *discoveryv1.EndpointSlice
		ready, hidden, leaving bool
	}{
		{"ready", endpointOf(pod, true, true, false), true, false, false},
		{"not ready", endpointOf(pod, false, false, false), false, true, false},
		{"leaving", endpointOf(pod, false, true, true), false, true, true},
		{"ended", endpointOf(pod, false, false, true), false, true, false},
		{"ready although it terminates", endpointOf(pod, true, true, true), true, false, false},
		{"another Pod's", endpointOf(other, true, true, true), false, true, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			state := tell(added(test.slice)).Latest()
			for _, check := range []struct {
				condition judge.Condition
				want      bool
			}{{judge.ReadyEndpoint(pod), test.ready}, {judge.NoReadyEndpoint(pod), test.hidden}, {judge.LeavingEndpoint(pod), test.leaving}} {
				if lacks := check.condition.Lacks(state); (lacks == "") != check.want {
					t.Errorf("%s: %q", check.condition.Claim, lacks)
				}
			}
		})
	}
}
