package judge

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/utils/ptr"

	"rollcall.dev/rollcall/framework/history"
)

// ending is a Pod that was asked to go.
func ending(grace int64, phase corev1.PodPhase, app corev1.ContainerState) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "steps", UID: "1", DeletionTimestamp: ptr.To(second(10)), DeletionGracePeriodSeconds: ptr.To(grace)},
		Status:     corev1.PodStatus{Phase: phase, ContainerStatuses: []corev1.ContainerStatus{{Name: "app", State: app}}},
	}
}

var (
	still = corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: second(1)}}
	over  = corev1.ContainerState{Terminated: terminated(0, 1, 9, "newest")}
)

// told is a history of one Pod, whose last state is the one it is removed with
// if gone is said.
func told(gone bool, states ...*corev1.Pod) *history.History {
	h := history.New()
	h.Append(history.Pod, watch.Added, steps)
	for _, state := range states {
		h.Append(history.Pod, watch.Modified, state)
	}
	if gone {
		h.Append(history.Pod, watch.Deleted, states[len(states)-1])
	}
	return h
}

func TestGraceGranted(t *testing.T) {
	removedAtOnce := ending(0, corev1.PodSucceeded, over)
	good := told(true, ending(5, corev1.PodRunning, still), removedAtOnce)
	if found := GraceGranted(steps, 5).Find(good); len(found) > 0 {
		t.Error(found[0])
	}
	for name, bad := range map[string]*history.History{
		"another": told(false, ending(30, corev1.PodRunning, still)),
		"none":    told(true, removedAtOnce),
		"unasked": told(false),
	} {
		if len(GraceGranted(steps, 5).Find(bad)) == 0 {
			t.Errorf("%s: not noticed", name)
		}
	}
}

func TestRemovedIn(t *testing.T) {
	claim := RemovedIn(steps, corev1.PodSucceeded)
	if found := claim.Find(told(true, ending(5, corev1.PodRunning, still), ending(5, corev1.PodSucceeded, over))); len(found) > 0 {
		t.Error(found[0])
	}
	for name, bad := range map[string]*history.History{
		"still there":   told(false, ending(5, corev1.PodSucceeded, over)),
		"other phase":   told(true, ending(5, corev1.PodFailed, over)),
		"still running": told(true, ending(5, corev1.PodSucceeded, still)),
	} {
		if len(claim.Find(bad)) == 0 {
			t.Errorf("%s: not noticed", name)
		}
	}
}

func TestRemovedWhileRunning(t *testing.T) {
	claim := RemovedWhileRunning(steps, "app")
	if found := claim.Find(told(true, ending(0, corev1.PodRunning, still))); len(found) > 0 {
		t.Error(found[0])
	}
	for name, bad := range map[string]*history.History{
		"still there": told(false, ending(0, corev1.PodRunning, still)),
		"ended":       told(true, ending(0, corev1.PodSucceeded, over)),
	} {
		if len(claim.Find(bad)) == 0 {
			t.Errorf("%s: not noticed", name)
		}
	}
}

func TestLastsAfterDeletion(t *testing.T) {
	h := told(false, ending(5, corev1.PodRunning, still))
	claim := LastsAfterDeletion(steps, "app", time.Minute)
	if len(claim.Find(h)) == 0 {
		t.Error("an end that is never told proves nothing")
	}
	h.Mark(DeletionOf(steps))
	asked := h.Marks()[0].At
	early, late := told(false), told(false)
	for seen, h := range map[time.Duration]*history.History{59 * time.Second: early, 61 * time.Second: late} {
		h.Mark(DeletionOf(steps))
		h.AppendAt(asked.Add(seen), history.Pod, watch.Modified, ending(5, corev1.PodRunning, over))
	}
	if len(claim.Find(early)) == 0 {
		t.Error("an early end was not noticed")
	}
	if found := claim.Find(late); len(found) > 0 {
		t.Error(found[0])
	}
}

func TestEndsBefore(t *testing.T) {
	later := steps.DeepCopy()
	later.Name, later.UID = "later", "2"
	laterOver := ending(5, corev1.PodRunning, over)
	laterOver.Name, laterOver.UID = later.Name, later.UID
	claim := EndsBefore(steps, later, "app")
	for name, test := range map[string]struct {
		states []*corev1.Pod
		holds  bool
	}{
		"in order":    {[]*corev1.Pod{later, ending(5, corev1.PodRunning, over), laterOver}, true},
		"out of it":   {[]*corev1.Pod{later, ending(5, corev1.PodRunning, still), laterOver, ending(5, corev1.PodRunning, over)}, false},
		"never ended": {[]*corev1.Pod{later, ending(5, corev1.PodRunning, still)}, false},
	} {
		if found := claim.Find(told(false, test.states...)); len(found) == 0 != test.holds {
			t.Errorf("%s: %v", name, found)
		}
	}
}
