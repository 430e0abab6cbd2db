package node

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Finish reports that the containers of a Pod on this node have ended, well or
// not, as its kubelet would.
func (s *Simulated) Finish(ctx context.Context, pod *corev1.Pod, phase corev1.PodPhase) error {
	now := metav1.Now()
	ended := &corev1.ContainerStateTerminated{Reason: "Completed", StartedAt: now, FinishedAt: now}
	if phase == corev1.PodFailed {
		ended.Reason, ended.ExitCode = "Error", 1
	}
	status := corev1.PodStatus{Phase: phase, Conditions: []corev1.PodCondition{
		{Type: corev1.ContainersReady, Status: corev1.ConditionFalse, LastTransitionTime: now},
		{Type: corev1.PodReady, Status: corev1.ConditionFalse, LastTransitionTime: now},
	}}
	for _, container := range pod.Spec.Containers {
		status.ContainerStatuses = append(status.ContainerStatuses, corev1.ContainerStatus{
			Name: container.Name, Image: container.Image, State: corev1.ContainerState{Terminated: ended},
		})
	}
	return kubelet{s.Client, s.Node.Name}.report(ctx, pod, status)
}
