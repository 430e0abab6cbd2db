package cluster

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// Trouble is why a Pod has not started.
type Trouble struct {
	Reason string
	// Fatal says that waiting will not help.
	Fatal bool
}

// badStart holds the reasons of a waiting or terminated container which mean
// that the image is not there or cannot be started.
var badStart = map[string]bool{
	"ErrImagePull": true, "ImagePullBackOff": true, "InvalidImageName": true, "ErrImageNeverPull": true,
	"ImageInspectError": true, "RegistryUnavailable": true, "SignatureValidationFailed": true,
	"CreateContainerConfigError": true, "CreateContainerError": true, "RunContainerError": true,
	"StartError": true, "ContainerCannotRun": true,
}

// Start reads off a Pod whether one of its containers has run, and if not, what
// is known of the reason.
func Start(pod *corev1.Pod) (started bool, why Trouble) {
	why = unplaced(pod)
	for _, status := range pod.Status.ContainerStatuses {
		waiting, terminated := status.State.Waiting, status.State.Terminated
		switch {
		case waiting != nil:
			why = Trouble{oneLine(waiting.Reason, waiting.Message), badStart[waiting.Reason]}
		case terminated != nil && badStart[terminated.Reason]:
			why = Trouble{oneLine(terminated.Reason, terminated.Message), true}
		case terminated != nil || status.State.Running != nil:
			return true, Trouble{}
		}
		if why.Fatal {
			break
		}
	}
	return false, why
}

// unplaced is what is known of a Pod without containers.
func unplaced(pod *corev1.Pod) Trouble {
	if pod.Status.Phase == corev1.PodFailed {
		return Trouble{Reason: oneLine(pod.Status.Reason, pod.Status.Message)}
	}
	for _, condition := range pod.Status.Conditions {
		if condition.Type == corev1.PodScheduled && condition.Status == corev1.ConditionFalse {
			return Trouble{Reason: oneLine(condition.Reason, condition.Message)}
		}
	}
	return Trouble{}
}

func oneLine(reason, message string) string {
	message = strings.Join(strings.Fields(message), " ")
	if message == "" || reason == "" {
		return reason + message
	}
	return reason + ": " + message
}
