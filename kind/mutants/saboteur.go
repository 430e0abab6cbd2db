package mutants

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Saboteur undoes a promise with an admission policy that changes objects as
// they are created.
type Saboteur struct {
	// Resource is what it changes, such as pods.
	Resource string
	// Condition chooses the objects, and Patch is what it does to them: a CEL
	// expression for a list of JSONPatch operations.
	Condition, Patch string
	// Probe is a Pod to which it does so, and Shows tells whether it did. An API
	// server obeys a policy some time after it has accepted it.
	Probe func() *corev1.Pod
	Shows func(*corev1.Pod) bool
}

// daemonSetPod is a Pod as the DaemonSet controller would create it.
func daemonSetPod() *corev1.Pod {
	yes, no := true, false
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			GenerateName:    "rollcall-probe-",
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "DaemonSet", Name: "probe", UID: "probe", Controller: &yes}},
		},
		Spec: corev1.PodSpec{
			AutomountServiceAccountToken: &no,
			Containers:                   []corev1.Container{{Name: "probe", Image: "none.invalid/none"}},
			Tolerations: []corev1.Toleration{
				{Key: corev1.TaintNodeNotReady, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute},
				{Key: corev1.TaintNodeUnreachable, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute},
			},
		},
	}
}

// toleratesForSeconds tells whether a Pod has a toleration that is limited in
// time.
func toleratesForSeconds(pod *corev1.Pod) bool {
	for _, toleration := range pod.Spec.Tolerations {
		if toleration.TolerationSeconds != nil {
			return true
		}
	}
	return false
}
