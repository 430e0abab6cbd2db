package judge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
)

// NotTolerating finds where the tolerations of a Pod are not just these: one
// that is missing, one that is too many, one that is limited in time.
func NotTolerating(want []corev1.Toleration) Fault {
	return func(pod *corev1.Pod) string {
		var faults []string
		for _, toleration := range Without(want, pod.Spec.Tolerations) {
			faults = append(faults, "lacks "+DescribeToleration(toleration))
		}
		for _, toleration := range Without(pod.Spec.Tolerations, want) {
			faults = append(faults, "also has "+DescribeToleration(toleration))
		}
		return strings.Join(faults, "; ")
	}
}

// Without returns the tolerations that the others do not hold.
func Without(tolerations, others []corev1.Toleration) []corev1.Toleration {
	return slices.DeleteFunc(slices.Clone(tolerations), func(t corev1.Toleration) bool {
		return slices.ContainsFunc(others, func(other corev1.Toleration) bool { return equality.Semantic.DeepEqual(t, other) })
	})
}

// TolerationsFor returns a Pod's tolerations that name a taint's key.
func TolerationsFor(pod *corev1.Pod, key string) []corev1.Toleration {
	return slices.DeleteFunc(slices.Clone(pod.Spec.Tolerations), func(t corev1.Toleration) bool { return t.Key != key })
}

// LimitedInTime finds that a Pod tolerates one of the taints for some seconds
// only, or not at all, instead of for ever.
func LimitedInTime(taints ...corev1.Taint) Fault {
	return func(pod *corev1.Pod) string {
		for _, taint := range taints {
			matching := slices.DeleteFunc(slices.Clone(pod.Spec.Tolerations), func(t corev1.Toleration) bool { return !Tolerates(t, taint) })
			if len(matching) == 0 {
				return "does not tolerate " + taint.ToString()
			}
			for _, toleration := range matching {
				if toleration.TolerationSeconds != nil {
					return fmt.Sprintf("tolerates %s for %d s only", taint.ToString(), *toleration.TolerationSeconds)
				}
			}
		}
		return ""
	}
}

// DescribeToleration tells a toleration in a few words.
func DescribeToleration(t corev1.Toleration) string {
	text := cmp.Or(t.Key, "every key")
	if t.Operator != corev1.TolerationOpExists {
		text += "=" + t.Value
	}
	if t.Effect != "" {
		text += ":" + string(t.Effect)
	}
	if t.TolerationSeconds != nil {
		text += fmt.Sprintf(" for %d s", *t.TolerationSeconds)
	}
	return text
}

// DescribeTolerations lists tolerations in a line.
func DescribeTolerations(tolerations []corev1.Toleration) string {
	texts := make([]string, len(tolerations))
	for i, toleration := range tolerations {
		texts[i] = DescribeToleration(toleration)
	}
	slices.Sort(texts)
	return cmp.Or(strings.Join(texts, ", "), "none")
}

// Distinct returns each toleration once.
func Distinct(tolerations []corev1.Toleration) []corev1.Toleration {
	var distinct []corev1.Toleration
	for _, toleration := range tolerations {
		distinct = append(distinct, Without([]corev1.Toleration{toleration}, distinct)...)
	}
	return distinct
}
