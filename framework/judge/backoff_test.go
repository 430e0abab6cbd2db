package judge_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"rollcall.dev/rollcall/framework/judge"
)

func TestInBackOff(t *testing.T) {
	waiting := func(reason string) *corev1.Pod {
		return pod("1", "a", func(p *corev1.Pod) {
			p.Status.ContainerStatuses = []corev1.ContainerStatus{{
				Name: "app", State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: reason}},
			}}
		})
	}
	claim := judge.InBackOff(pod("1", "a"), "app")

	holds(t, claim, tell(added(waiting("CrashLoopBackOff"))))
	breaks(t, claim, tell(added(waiting("ContainerCreating"))), "ContainerCreating")
	breaks(t, claim, tell(added(pod("1", "a"))))
}
