package judge

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// AutomaticTolerations are what the documentation promises that the DaemonSet
// controller adds to every Pod.
// https://kubernetes.io/docs/concepts/workloads/controllers/daemonset/#taints-and-tolerations
func AutomaticTolerations(hostNetwork bool) []corev1.Toleration {
	tolerate := func(key string, effect corev1.TaintEffect) corev1.Toleration {
		return corev1.Toleration{Key: key, Operator: corev1.TolerationOpExists, Effect: effect}
	}
	tolerations := []corev1.Toleration{
		tolerate(corev1.TaintNodeNotReady, corev1.TaintEffectNoExecute),
		tolerate(corev1.TaintNodeUnreachable, corev1.TaintEffectNoExecute),
		tolerate(corev1.TaintNodeDiskPressure, corev1.TaintEffectNoSchedule),
		tolerate(corev1.TaintNodeMemoryPressure, corev1.TaintEffectNoSchedule),
		tolerate(corev1.TaintNodePIDPressure, corev1.TaintEffectNoSchedule),
		tolerate(corev1.TaintNodeUnschedulable, corev1.TaintEffectNoSchedule),
	}
	if hostNetwork {
		tolerations = append(tolerations, tolerate(corev1.TaintNodeNetworkUnavailable, corev1.TaintEffectNoSchedule))
	}
	return tolerations
}

// ObstacleKind says what keeps a DaemonSet off a node.
type ObstacleKind string

// What can keep a DaemonSet off a node.
const (
	OtherNode        ObstacleKind = "node name"
	OtherLabels      ObstacleKind = "node selector"
	OtherAffinity    ObstacleKind = "node affinity"
	UntoleratedTaint ObstacleKind = "taint"
)

// Obstacle is one reason for which a node is not eligible.
type Obstacle struct {
	Kind ObstacleKind
	// Text says what the template asks for and the node has not, or the reverse.
	Text string
	// Taint is the taint that is not tolerated, if it is one.
	Taint corev1.Taint
}

// Eligible reports whether a DaemonSet with this Pod spec belongs on a node
// and, if not, why not. This is rollcall's own reading of the documentation,
// on purpose not the controller's code: an oracle that asks the accused proves
// nothing.
func Eligible(pod corev1.PodSpec, node *corev1.Node) (bool, string) {
	obstacles := Obstacles(pod, node)
	if len(obstacles) == 0 {
		return true, ""
	}
	return false, obstacles[0].Text
}

// Obstacles returns every reason for which a DaemonSet with this Pod spec does
// not belong on a node; none if it does.
func Obstacles(pod corev1.PodSpec, node *corev1.Node) []Obstacle {
	var obstacles []Obstacle
	add := func(kind ObstacleKind, format string, args ...any) {
		obstacles = append(obstacles, Obstacle{Kind: kind, Text: fmt.Sprintf(format, args...)})
	}
	if pod.NodeName != "" && pod.NodeName != node.Name {
		add(OtherNode, "the template names node %s", pod.NodeName)
	}
	for _, key := range slices.Sorted(maps.Keys(pod.NodeSelector)) {
		value := pod.NodeSelector[key]
		if have, ok := node.Labels[key]; !ok || have != value {
			add(OtherLabels, "nodeSelector asks for %s=%s, and the node has %s", key, value, describeLabel(node.Labels, key))
		}
	}
	if !matchesAffinity(pod.Affinity, node) {
		add(OtherAffinity, "no term of the required node affinity matches%s", mismatches(pod.Affinity, node))
	}
	for _, taint := range untolerated(pod, node) {
		obstacles = append(obstacles, Obstacle{UntoleratedTaint, "taint " + taint.ToString() + " is not tolerated", taint})
	}
	return obstacles
}

// MayBeEligible reports whether a DaemonSet with this Pod spec may belong on a
// node of which only the name is known: labels and taints may be what they must.
func MayBeEligible(pod corev1.PodSpec, name string) bool {
	if pod.NodeName != "" && pod.NodeName != name {
		return false
	}
	terms := requiredTerms(pod.Affinity)
	fields := map[string]string{metav1.ObjectNameField: name}
	return len(terms) == 0 || slices.ContainsFunc(terms, func(term corev1.NodeSelectorTerm) bool {
		return !slices.ContainsFunc(term.MatchFields, func(r corev1.NodeSelectorRequirement) bool { return !matchesRequirement(r, fields) })
	})
}

func describeLabel(labels map[string]string, key string) string {
	if value, ok := labels[key]; ok {
		return key + "=" + value
	}
	return "no label " + key
}

// mismatches tells of each term what in it does not match.
func mismatches(affinity *corev1.Affinity, node *corev1.Node) string {
	var text strings.Builder
	for i, term := range affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms {
		fmt.Fprintf(&text, "; term %d %s", i+1, mismatch(term, node))
	}
	return text.String()
}

func mismatch(term corev1.NodeSelectorTerm, node *corev1.Node) string {
	for _, r := range term.MatchExpressions {
		if !matchesRequirement(r, node.Labels) {
			return fmt.Sprintf("asks for %s, and the node has %s", describeRequirement(r), describeLabel(node.Labels, r.Key))
		}
	}
	for _, r := range term.MatchFields {
		if !matchesRequirement(r, map[string]string{metav1.ObjectNameField: node.Name}) {
			return fmt.Sprintf("asks for %s, and the node is %s", describeRequirement(r), node.Name)
		}
	}
	return "is empty and matches nothing"
}

func describeRequirement(r corev1.NodeSelectorRequirement) string {
	if len(r.Values) == 0 {
		return fmt.Sprintf("%s %s", r.Key, r.Operator)
	}
	return fmt.Sprintf("%s %s %s", r.Key, r.Operator, strings.Join(r.Values, ", "))
}

// untolerated returns the taints of a node that keep the Pod spec off it.
func untolerated(pod corev1.PodSpec, node *corev1.Node) []corev1.Taint {
	if len(node.Spec.Taints) == 0 {
		return nil
	}
	tolerations := slices.Concat(pod.Tolerations, AutomaticTolerations(pod.HostNetwork))
	return slices.DeleteFunc(slices.Clone(node.Spec.Taints), func(taint corev1.Taint) bool {
		return taint.Effect == corev1.TaintEffectPreferNoSchedule || tolerated(taint, tolerations)
	})
}

func tolerated(taint corev1.Taint, tolerations []corev1.Toleration) bool {
	return slices.ContainsFunc(tolerations, func(t corev1.Toleration) bool { return Tolerates(t, taint) })
}

// Tolerates reports whether a toleration matches a taint: an empty effect
// matches every effect, an empty key with Exists every key.
// https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/#concepts
func Tolerates(toleration corev1.Toleration, taint corev1.Taint) bool {
	if toleration.Effect != "" && toleration.Effect != taint.Effect {
		return false
	}
	if toleration.Key != "" && toleration.Key != taint.Key {
		return false
	}
	switch toleration.Operator {
	case corev1.TolerationOpExists:
		return true
	case corev1.TolerationOpEqual, "":
		return toleration.Key != "" && toleration.Value == taint.Value
	default:
		return false
	}
}

// matchesAffinity reads required node affinity: terms are ORed, the
// expressions and fields of a term are ANDed, an empty term matches nothing.
func matchesAffinity(affinity *corev1.Affinity, node *corev1.Node) bool {
	if affinity == nil || affinity.NodeAffinity == nil || affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution == nil {
		return true
	}
	terms := affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms
	return slices.ContainsFunc(terms, func(term corev1.NodeSelectorTerm) bool { return matchesTerm(term, node) })
}

func matchesTerm(term corev1.NodeSelectorTerm, node *corev1.Node) bool {
	if len(term.MatchExpressions)+len(term.MatchFields) == 0 {
		return false
	}
	fields := map[string]string{metav1.ObjectNameField: node.Name}
	unmatched := func(values map[string]string) func(corev1.NodeSelectorRequirement) bool {
		return func(r corev1.NodeSelectorRequirement) bool { return !matchesRequirement(r, values) }
	}
	return !slices.ContainsFunc(term.MatchExpressions, unmatched(node.Labels)) &&
		!slices.ContainsFunc(term.MatchFields, unmatched(fields))
}

func matchesRequirement(r corev1.NodeSelectorRequirement, values map[string]string) bool {
	value, present := values[r.Key]
	switch r.Operator {
	case corev1.NodeSelectorOpIn:
		return present && slices.Contains(r.Values, value)
	case corev1.NodeSelectorOpNotIn:
		return !present || !slices.Contains(r.Values, value)
	case corev1.NodeSelectorOpExists:
		return present
	case corev1.NodeSelectorOpDoesNotExist:
		return !present
	case corev1.NodeSelectorOpGt, corev1.NodeSelectorOpLt:
		return present && compares(value, r)
	default:
		return false
	}
}

func compares(value string, r corev1.NodeSelectorRequirement) bool {
	if len(r.Values) != 1 {
		return false
	}
	have, err := strconv.ParseInt(value, 10, 64)
	bound, errBound := strconv.ParseInt(r.Values[0], 10, 64)
	if err != nil || errBound != nil {
		return false
	}
	if r.Operator == corev1.NodeSelectorOpGt {
		return have > bound
	}
	return have < bound
}
