package judge

import corev1 "k8s.io/api/core/v1"

// InBackOff is the condition that the kubelet waits before it starts a
// container of a Pod again.
func InBackOff(pod *corev1.Pod, container string) Condition {
	return aboutPod(pod, "waits before it starts container "+container+" again", func(now *corev1.Pod) bool {
		status := StatusOf(now, container)
		return status != nil && status.State.Waiting != nil && status.State.Waiting.Reason == "CrashLoopBackOff"
	})
}
