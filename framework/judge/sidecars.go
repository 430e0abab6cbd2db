package judge

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"rollcall.dev/rollcall/framework/history"
)

// SidecarsFirst is the claim that no container of a Pod starts before every
// sidecar ahead of it has started, its startup probe included. It is about the
// first start of each: a sidecar that is restarted later holds up nothing.
func SidecarsFirst(pod *corev1.Pod) Judge {
	claim := "a container starts only after every sidecar ahead of it says that it has started"
	return Judge{Claim: "of Pod " + pod.Name + ", " + claim, Find: func(h *history.History) []Violation {
		var violations []Violation
		up := map[string]bool{}
		for at, now := range statesOf(h, pod) {
			noteStarted(now, up)
			if fault := aheadOfSidecar(now, up); fault != "" {
				violations = append(violations, violation(at, now, fault))
			}
		}
		return violations
	}}
}

// noteStarted notes the containers that say that they have started.
func noteStarted(pod *corev1.Pod, up map[string]bool) {
	for _, container := range pod.Spec.InitContainers {
		if status := StatusOf(pod, container.Name); status != nil && status.Started != nil && *status.Started {
			up[container.Name] = true
		}
	}
}

// aheadOfSidecar says which container has run although a sidecar ahead of it
// is not up.
func aheadOfSidecar(pod *corev1.Pod, up map[string]bool) string {
	missing := ""
	for _, container := range slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers) {
		if status := StatusOf(pod, container.Name); missing != "" && status != nil && HasRun(*status) {
			return fmt.Sprintf("has started %s although sidecar %s has not: %s", container.Name, missing, DescribePod(pod))
		}
		if missing == "" && isSidecar(container) && !up[container.Name] {
			missing = container.Name
		}
	}
	return ""
}

// NotRestarted is the claim that a container is never restarted.
func NotRestarted(pod *corev1.Pod, container string) Judge {
	return throughout(pod, fmt.Sprintf("container %s is not restarted", container), func(now *corev1.Pod) string {
		if status := StatusOf(now, container); status != nil && status.RestartCount > 0 {
			return "has restarted it: " + DescribeContainer(*status)
		}
		return ""
	})
}

// KeepsRunning is the claim that a container that runs goes on until the Pod's
// deletion is asked for, and that it has run at all.
func KeepsRunning(pod *corev1.Pod, container string) Judge {
	claim := fmt.Sprintf("container %s runs from its start until the Pod is deleted", container)
	return Judge{Claim: "of Pod " + pod.Name + ", " + claim, Find: func(h *history.History) []Violation {
		var violations []Violation
		began := false
		for at, now := range statesOf(h, pod) {
			status := StatusOf(now, container)
			runs := status != nil && status.State.Running != nil && status.RestartCount == 0
			began = began || runs
			if began && !runs && !Terminating(now) {
				violations = append(violations, violation(at, now, "no longer runs "+container+": "+DescribePod(now)))
			}
		}
		if !began {
			violations = append(violations, Violation{Pod: pod.Name, Message: "never ran " + container})
		}
		return violations
	}}
}

// ReadyOnlyWith is the claim that a Pod is Ready only while a container is.
func ReadyOnlyWith(pod *corev1.Pod, container string) Judge {
	return throughout(pod, fmt.Sprintf("it is Ready only while container %s is", container), func(now *corev1.Pod) string {
		if status := StatusOf(now, container); Ready(now) && (status == nil || !status.Ready) {
			return "is Ready without " + container + ": " + DescribePod(now)
		}
		return ""
	})
}

// NotReady is the condition that a Pod runs and is not Ready, although one of
// its containers is.
func NotReady(pod *corev1.Pod, container string) Condition {
	return aboutPod(pod, fmt.Sprintf("has container %s ready and is not Ready itself", container), func(now *corev1.Pod) bool {
		status := StatusOf(now, container)
		return status != nil && status.Ready && !Ready(now)
	})
}

// since returns how long after an action of the spec an instant is.
func since(h *history.History, action string, at time.Time) (time.Duration, bool) {
	for _, mark := range h.Marks() {
		if mark.Text == action {
			return at.Sub(mark.At), true
		}
	}
	return 0, false
}
