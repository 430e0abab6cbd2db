package scene

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"rollcall.dev/rollcall/framework/history"
)

func TestTouched(t *testing.T) {
	pod := func(annotations map[string]string) *corev1.Pod {
		return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "pod", Annotations: annotations}}
	}
	event := func(reason, message string) *corev1.Event {
		return &corev1.Event{ObjectMeta: metav1.ObjectMeta{Name: "event"}, Reason: reason, Message: message}
	}
	for name, c := range map[string]struct {
		kind   history.Kind
		object metav1.Object
		want   bool
	}{
		"a Pod as asked":        {history.Pod, pod(nil), false},
		"a Pod changed":         {history.Pod, pod(map[string]string{limitRanger: "LimitRanger plugin set: cpu request for container app"}), true},
		"a Pod forbidden":       {history.Event, event("FailedCreate", `Error creating: pods "agent-x" is forbidden: maximum cpu usage per Container is 100m, but limit is 200m`), true},
		"a Pod invalid":         {history.Event, event("FailedCreate", `Error creating: Pod "agent-x" is invalid: spec.containers[0].resources.requests: Invalid value: "1k"`), true},
		"no answer":             {history.Event, event("FailedCreate", "Error creating: etcdserver: request timed out"), false},
		"another sort of Event": {history.Event, event("FailedScheduling", "0/3 nodes are available"), false},
	} {
		h := history.New()
		h.Append(c.kind, watch.Added, c.object)
		if got := touched(h); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
