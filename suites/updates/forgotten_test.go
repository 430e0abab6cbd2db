package updates

import (
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/utils/ptr"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/scene"
)

func TestAPodIsForgottenOnceItsSuccessorHasLongBeenAvailable(t *testing.T) {
	ready := time.Unix(1000, 0)
	const minReady = 4 * time.Second
	for name, c := range map[string]struct {
		going bool
		now   time.Time
		want  bool
	}{
		"its successor is not available yet":    {false, ready.Add(minReady), false},
		"its successor has just got available":  {false, ready.Add(minReady + overdue/2), false},
		"its successor has long been available": {false, ready.Add(minReady + overdue), true},
		"it is told to go":                      {true, ready.Add(minReady + overdue), false},
	} {
		t.Run(name, func(t *testing.T) {
			old, fresh := podOf("old", "1", ready.Add(-time.Hour)), podOf("fresh", "2", ready)
			if c.going {
				old.DeletionTimestamp = ptr.To(metav1.NewTime(ready))
			}
			recorder := &history.Recorder{History: history.New()}
			for _, pod := range []*corev1.Pod{old, fresh} {
				recorder.AppendAt(ready, history.Pod, watch.Added, pod)
			}
			s := &subject{
				Scene: &scene.Scene{History: recorder}, set: &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{UID: "set"}},
				Rollout: judge.Rollout{DaemonSet: "set", MinReady: minReady},
			}
			if got := s.forgotten("2", c.now); (got != nil) != c.want {
				t.Errorf("got %v", got)
			}
		})
	}
}

// podOf is a Pod on a node, of a version, that has been Ready since an instant.
func podOf(name, version string, since time.Time) *corev1.Pod {
	set := fixtures.DaemonSet("agent")
	fixtures.Version(version)(set)
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name: name, UID: types.UID(name), Labels: set.Spec.Template.Labels, Annotations: set.Spec.Template.Annotations,
			OwnerReferences: []metav1.OwnerReference{{Kind: "DaemonSet", UID: "set", Controller: ptr.To(true)}},
		},
		Spec: corev1.PodSpec{NodeName: "n1"},
		Status: corev1.PodStatus{Phase: corev1.PodRunning, Conditions: []corev1.PodCondition{
			{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(since)},
		}},
	}
}
