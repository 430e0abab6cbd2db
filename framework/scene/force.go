package scene

import (
	"context"

	"github.com/onsi/ginkgo/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
)

// ForceDeletePod asks for the removal of just this Pod at once, without waiting
// for its node.
func (s *Scene) ForceDeletePod(ctx context.Context, pod *corev1.Pod) {
	ginkgo.GinkgoHelper()
	s.History.Mark("delete Pod " + pod.Name + " by force")
	Must(s.Client.CoreV1().Pods(s.Namespace).Delete(ctx, pod.Name, metav1.DeleteOptions{
		Preconditions: &metav1.Preconditions{UID: ptr.To(pod.UID)}, GracePeriodSeconds: ptr.To(int64(0)),
	}))
}
