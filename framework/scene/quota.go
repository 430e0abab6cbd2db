package scene

import (
	"context"
	"strings"
	"time"

	"github.com/onsi/ginkgo/v2"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/wait"

	"rollcall.dev/rollcall/framework/limit"
)

// AwaitQuota returns once a Pod that is beyond a ResourceQuota is refused for it. The
// quota's status is the controller's; each API server's admission has a cache of its
// own, which nothing but an answer tells of, so this asks again and again.
func (s *Scene) AwaitQuota(ctx context.Context, beyond *corev1.Pod) {
	ginkgo.GinkgoHelper()
	s.announce("waiting for admission to go by a ResourceQuota")
	limited, cancel := context.WithTimeout(ctx, s.Longest(limit.Retry))
	defer cancel()
	desk, answer := s.Desk(), "the Pod is let in"
	err := wait.PollUntilContextCancel(limited, 100*time.Millisecond, true, func(ctx context.Context) (bool, error) {
		_, err := desk.Pod(ctx, beyond.DeepCopy())
		if !apierrors.IsForbidden(err) {
			return false, err
		}
		answer = err.Error()
		return overQuota(answer), nil
	})
	if limited.Err() == nil {
		Must(err) // no answer at all
	}
	s.mustHaveCome(err, limit.Retry, "Pod "+beyond.Name+" is refused for a ResourceQuota", answer)
}

// overQuota reports whether a refusal is a quota's whose status admission knows.
// Before that it refuses every Pod.
func overQuota(refusal string) bool { return strings.Contains(refusal, "exceeded quota") }
