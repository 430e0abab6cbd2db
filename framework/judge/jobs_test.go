package judge

import (
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
)

func TestJobHas(t *testing.T) {
	failed := &batchv1.Job{Status: batchv1.JobStatus{Failed: 2, Conditions: []batchv1.JobCondition{
		{Type: batchv1.JobComplete, Status: corev1.ConditionFalse},
		{Type: batchv1.JobFailed, Status: corev1.ConditionTrue, Reason: batchv1.JobReasonBackoffLimitExceeded},
	}}}
	for name, holds := range map[string]bool{
		"failed":               JobHas(batchv1.JobFailed, "")(failed),
		"failed for its limit": JobHas(batchv1.JobFailed, batchv1.JobReasonBackoffLimitExceeded)(failed),
		"not for its deadline": !JobHas(batchv1.JobFailed, batchv1.JobReasonDeadlineExceeded)(failed),
		"not complete":         !JobHas(batchv1.JobComplete, "")(failed),
	} {
		if !holds {
			t.Error(name)
		}
	}
	if text := DescribeJob(failed); text != "0 active, 0 succeeded, 2 failed, Complete=False, Failed=True BackoffLimitExceeded" {
		t.Error(text)
	}
}
