package judge

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"rollcall.dev/rollcall/framework/history"
)

// starting is a container that runs and whose startup probe has not succeeded.
func starting(from int64) doing { return saysStarted(false, runs(from)) }

// up is a container that runs and has started.
func up(from int64) doing { return saysStarted(true, runs(from)) }

func saysStarted(started bool, now doing) doing {
	return func(s *corev1.ContainerStatus) {
		now(s)
		s.Started = &started
	}
}

func TestSidecarsFirst(t *testing.T) {
	claim := SidecarsFirst(stepsWithSidecar)
	for name, good := range map[string]*history.History{
		"nothing started": lifeOf(stepsWithSidecar, pending(nil)),
		"in order": lifeOf(stepsWithSidecar,
			pending(map[string]doing{"proxy": starting(1)}),
			pending(map[string]doing{"proxy": up(1)}),
			pending(map[string]doing{"proxy": up(1), "prepare": runs(2)})),
		"restarted later": lifeOf(stepsWithSidecar,
			pending(map[string]doing{"proxy": up(1)}),
			running(map[string]doing{"proxy": backsOff(1, 7, 1, 3), "prepare": ends(0, 2, 3)})),
	} {
		if found := claim.Find(good); len(found) > 0 {
			t.Errorf("%s: %s", name, found[0])
		}
	}
	for name, bad := range map[string]*history.History{
		"before the probe":   lifeOf(stepsWithSidecar, pending(map[string]doing{"proxy": starting(1), "prepare": runs(2)})),
		"before the sidecar": lifeOf(stepsWithSidecar, pending(map[string]doing{"app": runs(1)})),
	} {
		if len(claim.Find(bad)) == 0 {
			t.Errorf("%s: not noticed", name)
		}
	}
}

func TestKeepsRunning(t *testing.T) {
	claim := KeepsRunning(steps, "app")
	if found := claim.Find(lifeOf(steps, running(map[string]doing{"app": runs(1)}))); len(found) > 0 {
		t.Error(found[0])
	}
	for name, bad := range map[string]*history.History{
		"never ran": lifeOf(steps, pending(nil)),
		"ended":     lifeOf(steps, running(map[string]doing{"app": runs(1)}), running(map[string]doing{"app": ends(0, 1, 2)})),
		"restarted": lifeOf(steps, running(map[string]doing{"app": runs(1)}), running(map[string]doing{"app": again(1, 0, 1, 2, runs(3))})),
	} {
		if len(claim.Find(bad)) == 0 {
			t.Errorf("%s: not noticed", name)
		}
	}
}

func TestNotRestarted(t *testing.T) {
	claim := NotRestarted(steps, "app")
	if found := claim.Find(lifeOf(steps, running(map[string]doing{"app": ends(0, 1, 2)}))); len(found) > 0 {
		t.Error(found[0])
	}
	if len(claim.Find(lifeOf(steps, running(map[string]doing{"app": again(1, 0, 1, 2, runs(3))})))) == 0 {
		t.Error("a restart was not noticed")
	}
}

func TestReadyOnlyWith(t *testing.T) {
	story := func(container bool) *history.History {
		now := steps.DeepCopy()
		now.Status.Phase = corev1.PodRunning
		now.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
		now.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "app", Ready: container}}
		h := history.New()
		h.Append(history.Pod, watch.Added, now)
		return h
	}
	if found := ReadyOnlyWith(steps, "app").Find(story(true)); len(found) > 0 {
		t.Error(found[0])
	}
	if len(ReadyOnlyWith(steps, "app").Find(story(false))) == 0 {
		t.Error("a Pod that is Ready without its container was not noticed")
	}
}

func TestNotReadyAsksForTheContainer(t *testing.T) {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "steps", UID: "1"}}
	pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "app", Ready: true}}
	h := history.New()
	h.Append(history.Pod, watch.Added, pod)
	if lacks := NotReady(steps, "app").Lacks(h.Latest()); lacks != "" {
		t.Error(lacks)
	}
	if NotReady(steps, "other").Lacks(h.Latest()) == "" {
		t.Error("a container that is not there is not ready")
	}
}
