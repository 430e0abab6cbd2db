package scene

import (
	"context"
	"strings"

	"github.com/onsi/ginkgo/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"rollcall.dev/rollcall/framework/cluster"
	"rollcall.dev/rollcall/framework/history"
)

// limitRanger is the annotation in which admission tells what a LimitRange has
// set in a Pod.
const limitRanger = "kubernetes.io/limit-ranger"

// CreateLimitRange creates a LimitRange in the scene's namespace, and marks it as
// the run's own.
func (s *Scene) CreateLimitRange(ctx context.Context, limits *corev1.LimitRange) {
	ginkgo.GinkgoHelper()
	limits.Labels = cluster.Labels(s.RunID)
	s.ownLimits = true
	s.History.Mark("create LimitRange " + limits.Name)
	_, err := s.Client.CoreV1().LimitRanges(s.Namespace).Create(ctx, limits, metav1.CreateOptions{})
	Must(err)
}

// doubtLimits makes the verdict on a spec that has failed inconclusive if somebody
// else's LimitRange had a hand in it: a controller may give one to every
// namespace, and then Pods are changed or refused.
func (s *Scene) doubtLimits(ctx context.Context) {
	if s.asks || refused(ginkgo.CurrentSpecReport().FailureMessage()) || touched(s.History.History) {
		s.doubtForeignLimits(ctx, s.Namespace)
	}
}

func (c *Cluster) doubtForeignLimits(ctx context.Context, namespace string) {
	ranges, err := c.Client.CoreV1().LimitRanges(namespace).List(ctx, metav1.ListOptions{})
	Must(err)
	for _, limits := range ranges.Items {
		if limits.Labels[cluster.RunLabel] != c.RunID {
			Doubt("somebody gave rollcall's namespace the LimitRange %s, so that Pods are changed or refused; keep it away from namespaces with the label %s", limits.Name, cluster.RunLabel)
		}
	}
}

// touched reports whether a LimitRange may have changed a Pod of a history, or
// kept one from being made.
func touched(h *history.History) bool {
	for _, change := range h.Changes() {
		switch object := change.Object.(type) {
		case *corev1.Pod:
			if object.Annotations[limitRanger] != "" {
				return true
			}
		case *corev1.Event:
			if object.Reason == "FailedCreate" && refused(object.Message) {
				return true
			}
		}
	}
	return false
}

// refused reports whether a text tells of an object that admission or validation
// did not let pass.
func refused(text string) bool {
	return strings.Contains(text, " is forbidden: ") || strings.Contains(text, " is invalid: ")
}
