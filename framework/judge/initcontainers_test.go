package judge

import (
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"rollcall.dev/rollcall/framework/history"
)

// steps is a Pod with two init containers and an app, and a builder of its
// histories: each state says of each container what it is doing. Containers
// that a state does not name wait.
var steps = &corev1.Pod{
	ObjectMeta: metav1.ObjectMeta{Name: "steps", UID: "1"},
	Spec: corev1.PodSpec{
		InitContainers: []corev1.Container{{Name: "prepare"}, {Name: "transform"}},
		Containers:     []corev1.Container{{Name: "app"}},
	},
}

// stepsWithSidecar has a sidecar first, which the others do not wait to end.
var stepsWithSidecar = func() *corev1.Pod {
	pod, always := steps.DeepCopy(), corev1.ContainerRestartPolicyAlways
	pod.Spec.InitContainers = append([]corev1.Container{{Name: "proxy", RestartPolicy: &always}}, pod.Spec.InitContainers...)
	return pod
}()

type doing func(*corev1.ContainerStatus)

type podState struct {
	phase corev1.PodPhase
	doing map[string]doing
}

func pending(doing map[string]doing) podState { return podState{corev1.PodPending, doing} }
func running(doing map[string]doing) podState { return podState{corev1.PodRunning, doing} }

func second(n int64) metav1.Time { return metav1.NewTime(time.Unix(n, 0)) }

func runs(from int64) doing {
	return func(s *corev1.ContainerStatus) {
		s.State.Running = &corev1.ContainerStateRunning{StartedAt: second(from)}
	}
}

func ends(code int32, from, to int64) doing {
	return func(s *corev1.ContainerStatus) { s.State.Terminated = terminated(code, from, to, s.ContainerID) }
}

// saying is an end with a message.
func saying(message string, end doing) doing {
	return func(s *corev1.ContainerStatus) {
		end(s)
		s.State.Terminated.Message = message
	}
}

// again is what a container does after so many restarts; the attempt before
// ended with the code.
func again(restarts, code int32, from, to int64, now doing) doing {
	return func(s *corev1.ContainerStatus) {
		s.RestartCount = restarts
		s.LastTerminationState.Terminated = terminated(code, from, to, "before")
		now(s)
	}
}

// backsOff is a container that ended and waits to be restarted.
func backsOff(restarts, code int32, from, to int64) doing {
	return func(s *corev1.ContainerStatus) {
		s.RestartCount = restarts
		s.State.Waiting = &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff"}
		s.LastTerminationState.Terminated = terminated(code, from, to, s.ContainerID)
	}
}

func terminated(code int32, from, to int64, id string) *corev1.ContainerStateTerminated {
	return &corev1.ContainerStateTerminated{ExitCode: code, Reason: "Ended", StartedAt: second(from), FinishedAt: second(to), ContainerID: id}
}

// lifeOf makes the history in which a Pod goes through the states.
func lifeOf(pod *corev1.Pod, states ...podState) *history.History {
	h := history.New()
	h.AppendAt(time.Unix(0, 0), history.Pod, watch.Added, pod)
	for i, state := range states {
		now := pod.DeepCopy()
		now.Status.Phase = state.phase
		for _, container := range pod.Spec.InitContainers {
			now.Status.InitContainerStatuses = append(now.Status.InitContainerStatuses, state.status(container.Name))
		}
		for _, container := range pod.Spec.Containers {
			now.Status.ContainerStatuses = append(now.Status.ContainerStatuses, state.status(container.Name))
		}
		now.Status.Conditions = conditions(now)
		h.AppendAt(time.Unix(int64(i+1), 0), history.Pod, watch.Modified, now)
	}
	return h
}

func (p podState) status(container string) corev1.ContainerStatus {
	status := corev1.ContainerStatus{Name: container, ContainerID: "newest"}
	if p.doing[container] == nil {
		status.State.Waiting = &corev1.ContainerStateWaiting{Reason: "PodInitializing"}
		return status
	}
	p.doing[container](&status)
	return status
}

// conditions are those that a kubelet derives from the containers.
func conditions(pod *corev1.Pod) []corev1.PodCondition {
	if initialized(pod) {
		return []corev1.PodCondition{{Type: corev1.PodInitialized, Status: corev1.ConditionTrue}}
	}
	return []corev1.PodCondition{{Type: corev1.PodInitialized, Status: corev1.ConditionFalse, Reason: "ContainersNotInitialized"}}
}

type does = map[string]doing

// ordinary is a Pod that does everything right, with one failure of its first
// init container.
var ordinary = []podState{
	pending(nil),
	pending(does{"prepare": runs(1)}),
	pending(does{"prepare": ends(7, 1, 2)}),
	pending(does{"prepare": again(1, 7, 1, 2, runs(2))}),
	pending(does{"prepare": again(1, 7, 1, 2, ends(0, 2, 4)), "transform": runs(4)}),
	pending(does{"prepare": again(1, 7, 1, 2, ends(0, 2, 4)), "transform": ends(0, 4, 4)}),
	running(does{"prepare": again(1, 7, 1, 2, ends(0, 2, 4)), "transform": ends(0, 4, 4), "app": runs(5)}),
	running(does{"prepare": again(1, 7, 1, 2, ends(0, 2, 4)), "transform": ends(0, 4, 4), "app": saying("prepare1\nprepare2\n", ends(0, 5, 6))}),
}

func expectKept(t *testing.T, h *history.History, judges ...Judge) {
	t.Helper()
	for _, judge := range judges {
		if violations := judge.Find(h); len(violations) > 0 {
			t.Errorf("%s: %s", judge.Claim, violations[0])
		}
	}
}

func TestGoodLives(t *testing.T) {
	h := lifeOf(steps, ordinary...)
	expectKept(t, h, InitInOrder(steps), AppWaitsForInit(steps), PendingWhileInitializing(steps),
		Attempts(steps, "prepare", 7, 0), Attempts(steps, "transform", 0), EachAttemptEndsWith(steps, "transform", 0),
		EndExplained(steps, "app"), NeverStarted(steps, "absent"),
		Reported(steps, "app", "prepare1", "prepare2"))
}

func TestGoodLifeWithSidecar(t *testing.T) {
	proxy := runs(1)
	h := lifeOf(stepsWithSidecar,
		pending(does{"proxy": proxy}),
		pending(does{"proxy": proxy, "prepare": runs(2)}),
		pending(does{"proxy": again(1, 1, 1, 3, runs(3)), "prepare": ends(0, 2, 4), "transform": ends(0, 4, 5)}),
		running(does{"proxy": again(1, 1, 1, 3, runs(3)), "prepare": ends(0, 2, 4), "transform": ends(0, 4, 5), "app": runs(5)}))
	expectKept(t, h, InitInOrder(stepsWithSidecar), AppWaitsForInit(stepsWithSidecar), PendingWhileInitializing(stepsWithSidecar))
}

func TestBadLives(t *testing.T) {
	prepared, transformed := ends(0, 1, 3), ends(0, 3, 5)
	for name, bad := range map[string]struct {
		judge  Judge
		states []podState
	}{
		"the second runs beside the first": {InitInOrder(steps), []podState{
			pending(does{"prepare": runs(1), "transform": runs(1)})}},
		"the second runs after a failure of the first": {InitInOrder(steps), []podState{
			pending(does{"prepare": ends(7, 1, 2), "transform": runs(2)})}},
		"the second runs and the first never did": {InitInOrder(steps), []podState{
			pending(does{"transform": runs(1)})}},
		"the second's start is earlier than the first's end": {InitInOrder(steps), []podState{
			pending(does{"prepare": prepared, "transform": ends(0, 1, 5)})}},
		"an earlier attempt of the second began too soon": {InitInOrder(steps), []podState{
			pending(does{"prepare": prepared, "transform": again(1, 1, 2, 3, runs(4))})}},
		"the first is taken up again": {InitInOrder(steps), []podState{
			pending(does{"prepare": prepared}), pending(does{"prepare": nil})}},
		"the app runs beside the first": {AppWaitsForInit(steps), []podState{
			pending(does{"prepare": runs(1), "app": runs(1)})}},
		"the app ran and crashed beside the first": {AppWaitsForInit(steps), []podState{
			pending(does{"prepare": runs(1), "app": backsOff(0, 1, 1, 1)})}},
		"the app runs before the second": {AppWaitsForInit(steps), []podState{
			pending(does{"prepare": prepared, "app": runs(3)})}},
		"the app's start is earlier than the second's end": {AppWaitsForInit(steps), []podState{
			running(does{"prepare": prepared, "transform": transformed, "app": runs(4)})}},
		"the Pod is Running while the first runs": {PendingWhileInitializing(steps), []podState{
			running(does{"prepare": runs(1)})}},
		"the first is restarted after its success": {Attempts(steps, "prepare", 0), []podState{
			pending(does{"prepare": again(1, 0, 1, 3, runs(4))})}},
		"a failure has another code": {Attempts(steps, "prepare", 7, 0), []podState{
			pending(does{"prepare": again(1, 1, 1, 2, ends(0, 2, 3))})}},
		"a failure has another code in back-off": {Attempts(steps, "prepare", 7, 7, 0), []podState{
			pending(does{"prepare": backsOff(1, 1, 1, 2)}), pending(does{"prepare": again(2, 7, 1, 2, ends(0, 2, 3))})}},
		"there is no retry": {Attempts(steps, "prepare", 7, 0), []podState{
			pending(does{"prepare": ends(7, 1, 2)})}},
		"nothing is ever reported": {Attempts(steps, "prepare", 0), nil},
		"an attempt ends with another code": {EachAttemptEndsWith(steps, "prepare", 7), []podState{
			pending(does{"prepare": again(1, 1, 1, 2, runs(2))})}},
		"there is no reason": {EndExplained(steps, "prepare"), []podState{
			pending(does{"prepare": func(s *corev1.ContainerStatus) { ends(137, 1, 2)(s); s.State.Terminated.Reason = "" }})}},
		"nobody knows when it ended": {EndExplained(steps, "prepare"), []podState{
			pending(does{"prepare": func(s *corev1.ContainerStatus) { ends(137, 1, 2)(s); s.State.Terminated.FinishedAt = metav1.Time{} }})}},
		"there is no end": {EndExplained(steps, "prepare"), []podState{pending(does{"prepare": runs(1)})}},
		"the app ran":     {NeverStarted(steps, "app"), []podState{running(does{"app": backsOff(0, 1, 1, 1)})}},
		"no message":      {Reported(steps, "app", "prepare1"), []podState{running(does{"app": runs(1)})}},
		"wrong message":   {Reported(steps, "app", "prepare1"), []podState{running(does{"app": saying("prepare1\nprepare2", ends(0, 1, 2))})}},
	} {
		t.Run(name, func(t *testing.T) { expectCaught(t, bad.judge, lifeOf(steps, bad.states...)) })
	}
}

func expectCaught(t *testing.T, judge Judge, h *history.History) {
	t.Helper()
	if len(judge.Find(h)) == 0 {
		t.Errorf("not noticed: %s", judge.Claim)
	}
}

func TestChronicle(t *testing.T) {
	states := append(slices.Clone(ordinary), running(does{
		"prepare": backsOff(1, 7, 1, 2), "transform": saying("a\nb\n", ends(0, 4, 5)), "app": runs(6)}))
	want := []string{
		"steps on no node: prepare waiting (CrashLoopBackOff), 1 restarts, ended with 7 before, 00:00:01 to 00:00:02",
		`steps on no node: transform ended with 0, 00:00:04 to 00:00:05, says "a, b"`,
		"steps on no node: app running, since 00:00:06",
	}
	if lines := Chronicle(lifeOf(steps, states...), steps); !slices.Equal(lines, want) {
		t.Errorf("got:\n%s", strings.Join(lines, "\n"))
	}
}

func TestOnlyPod(t *testing.T) {
	h := lifeOf(steps, ordinary...)
	expectKept(t, h, OnlyPod(steps))
	another := steps.DeepCopy()
	another.UID = "2"
	h.Append(history.Pod, watch.Deleted, steps)
	h.Append(history.Pod, watch.Added, another)
	expectCaught(t, OnlyPod(steps), h)
}

func TestSidecarWaitsForInitBeforeIt(t *testing.T) {
	pod := stepsWithSidecar.DeepCopy()
	inits := pod.Spec.InitContainers
	pod.Spec.InitContainers = []corev1.Container{inits[1], inits[2], inits[0]}
	expectCaught(t, InitInOrder(pod), lifeOf(pod, pending(does{"prepare": ends(0, 1, 3), "transform": runs(3), "proxy": runs(4)})))
}

func TestInitializedTooSoon(t *testing.T) {
	h := lifeOf(steps, pending(does{"prepare": runs(1)}))
	pod := h.Latest().Pods()[0].DeepCopy()
	for _, kind := range []corev1.PodConditionType{corev1.PodInitialized, corev1.PodReady} {
		pod.Status.Conditions = []corev1.PodCondition{{Type: kind, Status: corev1.ConditionTrue}}
		h.Append(history.Pod, watch.Modified, pod)
		if violations := PendingWhileInitializing(steps).Find(h); len(violations) == 0 {
			t.Errorf("condition %s was not noticed", kind)
		}
	}
}

// A runtime may note the start of a short-lived container after its end.
func TestEndBeforeStartIsNoFault(t *testing.T) {
	expectKept(t, lifeOf(steps, pending(does{"prepare": ends(137, 3, 2)})), EndExplained(steps, "prepare"), InitInOrder(steps))
}

// A Pod that is deleted while it initializes may report containers that never
// ran as terminated, without a start.
func TestDeletionIsNoStart(t *testing.T) {
	never := func(s *corev1.ContainerStatus) {
		s.State.Terminated = &corev1.ContainerStateTerminated{ExitCode: 137, Reason: "ContainerStatusUnknown"}
	}
	h := lifeOf(steps, podState{corev1.PodFailed, does{"prepare": ends(137, 1, 2), "transform": never, "app": never}})
	expectKept(t, h, InitInOrder(steps), AppWaitsForInit(steps), PendingWhileInitializing(steps), NeverStarted(steps, "app"))
}

func TestContainerConditions(t *testing.T) {
	retried := does{"prepare": again(1, 7, 1, 2, runs(2))}
	for name, test := range map[string]struct {
		condition Condition
		doing     does
		holds     bool
	}{
		"first start":          {Running(steps, "prepare", 1), does{"prepare": runs(1)}, true},
		"second start":         {Running(steps, "prepare", 2), retried, true},
		"not the second start": {Running(steps, "prepare", 2), does{"prepare": runs(1)}, false},
		"restarted once":       {Restarted(steps, "prepare", 1), retried, true},
		"not restarted twice":  {Restarted(steps, "prepare", 2), retried, false},
		"not ready":            {IsReady(steps), retried, false},
		"not initialized":      {Initialized(steps), retried, false},
		"not finished":         {Finishes(steps), retried, false},
		"in its phase":         {InPhase(steps, corev1.PodPending), retried, true},
		"ended":                {Ended(steps, "prepare", 0), does{"prepare": ends(0, 1, 2)}, true},
		"ended otherwise":      {Ended(steps, "prepare", 0), does{"prepare": ends(1, 1, 2)}, false},
		"initializing":         {Initializing(steps), does{"prepare": runs(1)}, true},
		"still there":          {Gone(steps), does{"prepare": runs(1)}, false},
	} {
		t.Run(name, func(t *testing.T) {
			if lacks := test.condition.Lacks(lifeOf(steps, pending(test.doing)).Latest()); (lacks == "") != test.holds {
				t.Errorf("%s: lacks %q", test.condition.Claim, lacks)
			}
		})
	}
}
