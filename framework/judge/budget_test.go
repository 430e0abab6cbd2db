package judge_test

import (
	"testing"

	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"rollcall.dev/rollcall/framework/judge"
)

func budget(expected, allowed int32, status metav1.ConditionStatus, reason string) *policyv1.PodDisruptionBudget {
	return &policyv1.PodDisruptionBudget{
		ObjectMeta: metav1.ObjectMeta{Generation: 2},
		Status: policyv1.PodDisruptionBudgetStatus{
			ObservedGeneration: 2, ExpectedPods: expected, DisruptionsAllowed: allowed,
			Conditions: []metav1.Condition{{Type: policyv1.DisruptionAllowedCondition, Status: status, Reason: reason}},
		},
	}
}

func TestBudgets(t *testing.T) {
	usedUp := budget(1, 0, metav1.ConditionFalse, policyv1.InsufficientPodsReason)
	free := budget(2, 1, metav1.ConditionTrue, policyv1.SufficientPodsReason)
	failed := budget(0, 0, metav1.ConditionFalse, policyv1.SyncFailedReason)
	fresh := &policyv1.PodDisruptionBudget{}
	changed := free.DeepCopy()
	changed.Generation = 3
	for name, c := range map[string]struct {
		holds bool
		want  bool
	}{
		"used up allows none":         {judge.Allows(0)(usedUp), true},
		"used up allows one":          {judge.Allows(1)(usedUp), false},
		"free allows one":             {judge.Allows(1)(free), true},
		"free allows none":            {judge.Allows(0)(free), false},
		"a new one counts no Pods":    {judge.Allows(0)(fresh), false},
		"changed since":               {judge.Allows(1)(changed), false},
		"failed":                      {judge.SyncFailed(failed), true},
		"used up has not failed":      {judge.SyncFailed(usedUp), false},
		"failed and allowing":         {judge.SyncFailed(budget(1, 1, metav1.ConditionFalse, policyv1.SyncFailedReason)), false},
		"a new one has no conditions": {judge.SyncFailed(fresh), false},
	} {
		if c.holds != c.want {
			t.Errorf("%s: %v", name, c.holds)
		}
	}
}
