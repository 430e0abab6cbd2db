package judge

import (
	"fmt"

	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Allows reports whether a PodDisruptionBudget, in a status of its newest spec,
// lets just so many of its Pods be evicted.
func Allows(n int32) func(*policyv1.PodDisruptionBudget) bool {
	return func(b *policyv1.PodDisruptionBudget) bool {
		return b.Status.ObservedGeneration >= b.Generation && b.Status.ExpectedPods > 0 && b.Status.DisruptionsAllowed == n
	}
}

// SyncFailed reports whether a PodDisruptionBudget says that its controller
// cannot work it out, and allows nothing. Such a status names no generation.
func SyncFailed(b *policyv1.PodDisruptionBudget) bool {
	condition := meta.FindStatusCondition(b.Status.Conditions, policyv1.DisruptionAllowedCondition)
	return condition != nil && condition.Status == metav1.ConditionFalse && condition.Reason == policyv1.SyncFailedReason && b.Status.DisruptionsAllowed == 0
}

// DescribeBudget lists the counters and conditions of a PodDisruptionBudget.
func DescribeBudget(b *policyv1.PodDisruptionBudget) string {
	s := b.Status
	text := fmt.Sprintf("expected %d, healthy %d, desired %d, disruptions allowed %d", s.ExpectedPods, s.CurrentHealthy, s.DesiredHealthy, s.DisruptionsAllowed)
	for _, condition := range s.Conditions {
		text += fmt.Sprintf(", %s=%s (%s: %s)", condition.Type, condition.Status, condition.Reason, condition.Message)
	}
	return text
}
