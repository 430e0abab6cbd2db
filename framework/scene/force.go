package scene

import (
	"context"

	"github.com/onsi/ginkgo/v2"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
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

// HastenAtEnd sees to it that a Pod with a long grace period does not keep its
// namespace: what is left of the Pod when the spec ends gets two seconds.
func (s *Scene) HastenAtEnd(pod *corev1.Pod) {
	ginkgo.DeferCleanup(func(ctx context.Context) {
		err := s.Client.CoreV1().Pods(s.Namespace).Delete(ctx, pod.Name, metav1.DeleteOptions{
			Preconditions: &metav1.Preconditions{UID: ptr.To(pod.UID)}, GracePeriodSeconds: ptr.To(int64(2)),
		})
		if !apierrors.IsNotFound(err) && !apierrors.IsConflict(err) {
			Must(err)
		}
	})
}
