package judge

import (
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"rollcall.dev/rollcall/framework/history"
)

// What the kubelet may report while a Pod initializes was read in
// https://github.com/kubernetes/kubernetes/blob/v1.37.2/pkg/kubelet/kubelet_pods.go:
// every status is made from one list of the runtime's containers, taken before
// any of them is looked at, so a container is never shown to run while the one
// that it waited for still seems to. Only a new sandbox, after a reboot or a
// runtime that lost it, takes a Pod back to its first init container.

// InitInOrder is the claim that each init container of a Pod starts only after
// the one before it has ended with 0, and that none is taken up again after
// that. One that is restarted for ever, a sidecar, is waited for otherwise.
func InitInOrder(pod *corev1.Pod) Judge {
	claim := "init containers run one after the other, in the order of the spec, each after the success of the one before"
	return Judge{Claim: "of Pod " + pod.Name + ", " + claim, Find: func(h *history.History) []Violation {
		var violations []Violation
		var before *corev1.Pod
		for at, now := range statesOf(h, pod) {
			for _, fault := range []string{outOfOrder(now), takenUpAgain(before, now)} {
				if fault != "" {
					violations = append(violations, violation(at, now, fault))
				}
			}
			before = now
		}
		return violations
	}}
}

// AppWaitsForInit is the claim that no app container of a Pod starts before all
// of its init containers have ended with 0.
func AppWaitsForInit(pod *corev1.Pod) Judge {
	return throughout(pod, "app containers start only after every init container has ended with 0", func(now *corev1.Pod) string {
		for _, app := range now.Status.ContainerStatuses {
			for _, name := range toCompletion(now) {
				if fault := startedBeforeEnd(now, name, app); fault != "" {
					return fault
				}
			}
		}
		return ""
	})
}

// PendingWhileInitializing is the claim that a Pod, as long as an init
// container has not ended with 0, is not Running, Succeeded, Initialized or
// Ready. A Pod whose initialization is given up is Failed.
func PendingWhileInitializing(pod *corev1.Pod) Judge {
	return throughout(pod, "it is Pending and not Initialized until every init container has ended with 0", func(now *corev1.Pod) string {
		if initialized(now) {
			return ""
		}
		var faults []string
		if phase := now.Status.Phase; phase == corev1.PodRunning || phase == corev1.PodSucceeded {
			faults = append(faults, "is "+string(phase))
		}
		for _, kind := range []corev1.PodConditionType{corev1.PodInitialized, corev1.ContainersReady, corev1.PodReady} {
			if is(now, kind, corev1.ConditionTrue) {
				faults = append(faults, "has condition "+string(kind))
			}
		}
		if faults == nil {
			return ""
		}
		return strings.Join(faults, ", ") + " while it initializes: " + DescribePod(now)
	})
}

// Initializing is the condition that a Pod says that it initializes: phase
// Pending, condition Initialized false because of containers that have not
// completed.
func Initializing(pod *corev1.Pod) Condition {
	return aboutPod(pod, "is Pending and says Initialized=False, ContainersNotInitialized", func(now *corev1.Pod) bool {
		return now.Status.Phase == corev1.PodPending && is(now, corev1.PodInitialized, corev1.ConditionFalse) &&
			PodCondition(now, corev1.PodInitialized).Reason == "ContainersNotInitialized"
	})
}

// Initialized is the condition that a Pod says that it is initialized.
func Initialized(pod *corev1.Pod) Condition {
	return aboutPod(pod, "says Initialized=True", func(now *corev1.Pod) bool {
		return is(now, corev1.PodInitialized, corev1.ConditionTrue)
	})
}

// toCompletion names the init containers that must end before the next
// container may start: all but the sidecars.
func toCompletion(pod *corev1.Pod) []string {
	var names []string
	for _, container := range pod.Spec.InitContainers {
		if !isSidecar(container) {
			names = append(names, container.Name)
		}
	}
	return names
}

func isSidecar(container corev1.Container) bool {
	return container.RestartPolicy != nil && *container.RestartPolicy == corev1.ContainerRestartPolicyAlways
}

func initialized(pod *corev1.Pod) bool {
	for _, name := range toCompletion(pod) {
		if !hasSucceeded(StatusOf(pod, name)) {
			return false
		}
	}
	return true
}

func hasSucceeded(status *corev1.ContainerStatus) bool {
	return status != nil && status.State.Terminated != nil && status.State.Terminated.ExitCode == 0
}

func is(pod *corev1.Pod, kind corev1.PodConditionType, value corev1.ConditionStatus) bool {
	condition := PodCondition(pod, kind)
	return condition != nil && condition.Status == value
}

// outOfOrder says which init container has started before the end of another
// one that comes before it.
func outOfOrder(pod *corev1.Pod) string {
	var before []string
	for _, container := range pod.Spec.InitContainers {
		status := StatusOf(pod, container.Name)
		for _, earlier := range before {
			if status == nil {
				break
			}
			if fault := startedBeforeEnd(pod, earlier, *status); fault != "" {
				return fault
			}
		}
		if !isSidecar(container) {
			before = append(before, container.Name)
		}
	}
	return ""
}

// startedBeforeEnd says how a container has started before an init container
// ended with 0. The instants are those of one node's clock, cut to seconds, and
// a runtime notes a start a little late; so they accuse nobody wrongly, but a
// start that was too early by less than that is seen only in the states and in
// what the containers themselves wrote down.
func startedBeforeEnd(pod *corev1.Pod, init string, next corev1.ContainerStatus) string {
	if !HasRun(next) {
		return ""
	}
	first := StatusOf(pod, init)
	if !hasSucceeded(first) {
		return fmt.Sprintf("has started %s although %s has not succeeded: %s", next.Name, init, DescribePod(pod))
	}
	start, end := started(next), first.State.Terminated.FinishedAt.Time
	if start.Before(end) {
		return fmt.Sprintf("started %s at %s, before %s ended at %s", next.Name, start.UTC().Format(time.TimeOnly), init, end.UTC().Format(time.TimeOnly))
	}
	return ""
}

// takenUpAgain says which init container had succeeded and now has not.
func takenUpAgain(before, now *corev1.Pod) string {
	if before == nil {
		return ""
	}
	for _, name := range toCompletion(now) {
		if hasSucceeded(StatusOf(before, name)) && !hasSucceeded(StatusOf(now, name)) {
			return "had finished " + name + " and takes it up again: " + DescribePod(now)
		}
	}
	return ""
}
