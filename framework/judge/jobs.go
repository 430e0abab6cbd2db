package judge

import (
	"fmt"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"rollcall.dev/rollcall/framework/history"
)

// JobHas returns the predicate that a Job has a condition, for this reason
// unless that is empty.
func JobHas(kind batchv1.JobConditionType, reason string) func(*batchv1.Job) bool {
	return func(job *batchv1.Job) bool {
		for _, condition := range job.Status.Conditions {
			if condition.Type == kind && condition.Status == corev1.ConditionTrue {
				return reason == "" || condition.Reason == reason
			}
		}
		return false
	}
}

// DescribeJob tells a Job's state in a few words.
func DescribeJob(job *batchv1.Job) string {
	s := job.Status
	words := []string{fmt.Sprintf("%d active, %d succeeded, %d failed", s.Active, s.Succeeded, s.Failed)}
	for _, condition := range s.Conditions {
		words = append(words, strings.TrimSuffix(fmt.Sprintf("%s=%s %s", condition.Type, condition.Status, condition.Reason), " "))
	}
	return strings.Join(words, ", ")
}

// ReadyPodsOf is the condition that just so many of an owner's Pods are Ready.
func ReadyPodsOf(owner types.UID, what string, n int) Condition {
	return Condition{Claim: fmt.Sprintf("%s has %d Ready Pods", what, n), Lacks: func(state *history.State) string {
		ready := 0
		for _, pod := range state.PodsOf(owner) {
			if Ready(pod) {
				ready++
			}
		}
		if ready != n {
			return fmt.Sprintf("%s has %d Ready Pods", what, ready)
		}
		return ""
	}}
}
