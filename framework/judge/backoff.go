package judge

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"rollcall.dev/rollcall/framework/history"
)

// firstDelayed is the attempt after which a restart is delayed for the first time:
// after the one before it comes at once, so that its end may never be told.
const firstDelayed = 2

// BacksOff is the claim that a failing container's attempts are at least so far
// apart: least[0] lies between the end of the second attempt and the start of the
// third, by the clock of the node and to the second.
func BacksOff(pod *corev1.Pod, container string, least ...time.Duration) Judge {
	claim := fmt.Sprintf("Pod %s restarts container %s after at least %v", pod.Name, container, least)
	return Judge{Claim: claim, Find: func(h *history.History) []Violation {
		pauses := Pauses(h, pod, container)
		at, last := lastState(h, pod)
		var violations []Violation
		for i, want := range least {
			attempt := firstDelayed + i
			pause, told := pauses[attempt]
			switch {
			case !told:
				violations = append(violations, violation(at, last, fmt.Sprintf("does not tell of the end of attempt %d and the start of the next", attempt)))
			case pause < want:
				violations = append(violations, violation(at, last, fmt.Sprintf("starts attempt %d only %s after the one before", attempt+1, pause)))
			}
		}
		return violations
	}}
}

// Pauses returns how long a container was not running after each attempt, which
// count from 1, as far as both the end of that one and the start of the next were
// told.
func Pauses(h *history.History, pod *corev1.Pod, container string) map[int]time.Duration {
	starts, ends := map[int]time.Time{}, map[int]time.Time{}
	for _, now := range statesOf(h, pod) {
		status := StatusOf(now, container)
		if status == nil {
			continue
		}
		note(starts, ends, int(status.RestartCount)+1, status.State)
		note(starts, ends, lastAttempt(*status)+1, status.LastTerminationState)
	}
	pauses := map[int]time.Duration{}
	for attempt, end := range ends {
		if next, ok := starts[attempt+1]; ok {
			pauses[attempt] = next.Sub(end)
		}
	}
	return pauses
}

func note(starts, ends map[int]time.Time, attempt int, state corev1.ContainerState) {
	if running := state.Running; running != nil {
		starts[attempt] = running.StartedAt.Time
	}
	if ended := state.Terminated; ended != nil && !ended.StartedAt.IsZero() {
		starts[attempt], ends[attempt] = ended.StartedAt.Time, ended.FinishedAt.Time
	}
}
