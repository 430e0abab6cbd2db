package resources

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// charge is the claim that a quota is charged with just these amounts.
func charge(want amounts) charged { return charged(want) }

type charged amounts

func (c charged) want() map[corev1.ResourceName]string {
	return map[corev1.ResourceName]string{
		corev1.ResourceRequestsCPU: c.requestsCPU, corev1.ResourceRequestsMemory: c.requestsMemory,
		corev1.ResourceLimitsCPU: c.limitsCPU, corev1.ResourceLimitsMemory: c.limitsMemory,
	}
}

// Match compares quantities, whatever their units.
func (c charged) Match(actual any) (bool, error) {
	used, ok := actual.(corev1.ResourceList)
	if !ok {
		return false, fmt.Errorf("a charge is a ResourceList, not a %T", actual)
	}
	return len(c.faults(used)) == 0, nil
}

func (c charged) faults(used corev1.ResourceList) []string {
	var faults []string
	for name, want := range c.want() {
		got, counted := used[name]
		if want != "" && (!counted || got.Cmp(resource.MustParse(want)) != 0) {
			faults = append(faults, fmt.Sprintf("%s is %s, not %s", name, got.String(), want))
		}
	}
	return faults
}

// FailureMessage tells which amounts differ.
func (c charged) FailureMessage(actual any) string {
	used, _ := actual.(corev1.ResourceList)
	return "expected: the Pod is charged by the documented formula\nseen: " + strings.Join(c.faults(used), ", ")
}

// NegatedFailureMessage serves ShouldNot.
func (c charged) NegatedFailureMessage(any) string {
	return "expected another charge than by the documented formula"
}
