package cluster

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
)

func containerIn(state corev1.ContainerState) corev1.PodStatus {
	return corev1.PodStatus{ContainerStatuses: []corev1.ContainerStatus{{State: state}}}
}

func waiting(reason, message string) corev1.PodStatus {
	return containerIn(corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: reason, Message: message}})
}

func terminated(reason, message string) corev1.PodStatus {
	return containerIn(corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{Reason: reason, Message: message}})
}

func TestStart(t *testing.T) {
	for name, test := range map[string]struct {
		status  corev1.PodStatus
		started bool
		why     Trouble
	}{
		"nothing is known": {corev1.PodStatus{}, false, Trouble{}},
		"running":          {containerIn(corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}), true, Trouble{}},
		"ended well":       {terminated("Completed", ""), true, Trouble{}},
		"ended badly":      {terminated("Error", ""), true, Trouble{}},
		"being created":    {waiting("ContainerCreating", ""), false, Trouble{Reason: "ContainerCreating"}},
		"no image":         {waiting("ErrImagePull", "no such\n  host"), false, Trouble{"ErrImagePull: no such host", true}},
		"still no image":   {waiting("ImagePullBackOff", "x"), false, Trouble{"ImagePullBackOff: x", true}},
		"no image's name":  {waiting("InvalidImageName", "x"), false, Trouble{"InvalidImageName: x", true}},
		"another machine's": {terminated("StartError", "exec format error"), false,
			Trouble{"StartError: exec format error", true}},
		"node is full": {corev1.PodStatus{Conditions: []corev1.PodCondition{{
			Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: "Unschedulable", Message: "Too many pods",
		}}}, false, Trouble{Reason: "Unschedulable: Too many pods"}},
		"refused by the kubelet": {corev1.PodStatus{Phase: corev1.PodFailed, Reason: "OutOfcpu", Message: "m"}, false,
			Trouble{Reason: "OutOfcpu: m"}},
	} {
		t.Run(name, func(t *testing.T) {
			started, why := Start(&corev1.Pod{Status: test.status})
			if started != test.started || why != test.why {
				t.Errorf("got %v %+v, want %v %+v", started, why, test.started, test.why)
			}
		})
	}
}
