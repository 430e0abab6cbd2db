package judge

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// NotAimed finds where a DaemonSet's Pod departs from what is documented about
// its target: required node affinity names just one of the nodes and replaces
// what the template has, all else is the template's, and a scheduler binds the
// Pod to that node.
func NotAimed(template corev1.PodSpec, nodes Nodes) Fault {
	return func(pod *corev1.Pod) string {
		target := affinityTarget(pod)
		switch {
		case target == "":
			return fmt.Sprintf("has the required node affinity %v, not that of one node", requiredTerms(pod.Spec.Affinity))
		case !slices.Contains(nodes.Eligible, target) && !nodes.foreign(target):
			return "is aimed at " + target + ", which is not eligible"
		case pod.Spec.NodeName != "" && pod.Spec.NodeName != target:
			return fmt.Sprintf("is aimed at %s and bound to %s", target, pod.Spec.NodeName)
		case !equality.Semantic.DeepEqual(pod.Spec.NodeSelector, template.NodeSelector):
			return fmt.Sprintf("has the node selector %v, not the template's %v", pod.Spec.NodeSelector, template.NodeSelector)
		case !equality.Semantic.DeepEqual(unaimed(pod.Spec.Affinity), unaimed(template.Affinity)):
			return fmt.Sprintf("has the other affinity %v, not the template's %v", unaimed(pod.Spec.Affinity), unaimed(template.Affinity))
		}
		return ""
	}
}

// affinityTarget returns the node that a Pod's affinity names, and nothing if
// it is more or less than one name.
func affinityTarget(pod *corev1.Pod) string {
	terms := requiredTerms(pod.Spec.Affinity)
	if len(terms) != 1 || len(terms[0].MatchExpressions) != 0 || len(terms[0].MatchFields) != 1 {
		return ""
	}
	field := terms[0].MatchFields[0]
	if field.Key != metav1.ObjectNameField || field.Operator != corev1.NodeSelectorOpIn || len(field.Values) != 1 {
		return ""
	}
	return field.Values[0]
}

func requiredTerms(affinity *corev1.Affinity) []corev1.NodeSelectorTerm {
	if affinity == nil || affinity.NodeAffinity == nil || affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution == nil {
		return nil
	}
	return affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms
}

// unaimed returns the affinity without the required node affinity.
func unaimed(affinity *corev1.Affinity) corev1.Affinity {
	if affinity == nil {
		return corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{}}
	}
	rest := *affinity.DeepCopy()
	if rest.NodeAffinity == nil {
		rest.NodeAffinity = &corev1.NodeAffinity{}
	}
	rest.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution = nil
	return rest
}

// Bound finds that a Pod is bound to a node.
func Bound(pod *corev1.Pod) string {
	if pod.Spec.NodeName == "" {
		return ""
	}
	return "is bound to node " + pod.Spec.NodeName
}
