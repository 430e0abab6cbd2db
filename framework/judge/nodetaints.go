package judge

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	"rollcall.dev/rollcall/framework/history"
)

// Tainted is the condition that a node carries each of these taints, whatever
// their values.
func Tainted(node string, taints ...corev1.Taint) Condition {
	return Condition{Claim: fmt.Sprintf("node %s carries %s", node, describeTaints(taints)), Lacks: func(state *history.State) string {
		now := state.Node(node)
		if now == nil {
			return "the node is gone"
		}
		for _, taint := range taints {
			if !carries(now, taint) {
				return "it is " + DescribeNode(now)
			}
		}
		return ""
	}}
}

// Untainted is the condition that a node carries no taint with any of these keys.
func Untainted(node string, keys ...string) Condition {
	return Condition{Claim: fmt.Sprintf("node %s carries no taint %s", node, strings.Join(keys, ", ")), Lacks: func(state *history.State) string {
		now := state.Node(node)
		if now == nil {
			return "the node is gone"
		}
		if HasTaint(now, keys...) {
			return "it is " + DescribeNode(now)
		}
		return ""
	}}
}

// HasTaint reports whether a node carries a taint with any of these keys.
func HasTaint(node *corev1.Node, keys ...string) bool {
	return slices.ContainsFunc(node.Spec.Taints, func(t corev1.Taint) bool { return slices.Contains(keys, t.Key) })
}

// NeverTainted is the claim that a node never carries this taint.
func NeverTainted(node string, taint corev1.Taint) Judge {
	return Always(Condition{Claim: fmt.Sprintf("node %s does not carry %s", node, taint.ToString()), Lacks: func(state *history.State) string {
		if now := state.Node(node); now != nil && carries(now, taint) {
			return "it is " + DescribeNode(now)
		}
		return ""
	}})
}

// BornWith is the claim that a node carries a taint from its very first version.
func BornWith(node types.UID, taint corev1.Taint) Judge {
	return Judge{Claim: "the node is created with the taint " + taint.ToString(), Find: func(h *history.History) []Violation {
		lives := h.Lives(node)
		if len(lives) == 0 || lives[0].Type != watch.Added {
			return []Violation{{At: h.Latest().At, Message: "the creation of the node was not seen"}}
		}
		if first := history.AsNode(lives[0].Object); !carries(first, taint) {
			return []Violation{{At: lives[0].At, Node: first.Name, Message: "it is created " + DescribeNode(first)}}
		}
		return nil
	}}
}

// carries reports whether a node has a taint of the same key and effect.
func carries(node *corev1.Node, taint corev1.Taint) bool {
	return slices.ContainsFunc(node.Spec.Taints, func(t corev1.Taint) bool { return t.MatchTaint(&taint) })
}

func describeTaints(taints []corev1.Taint) string {
	texts := make([]string, len(taints))
	for i, taint := range taints {
		texts[i] = taint.ToString()
	}
	return "the taint " + strings.Join(texts, " and ")
}

// ReadyIs is the condition that a node reports, or is given by the control plane,
// this status of Ready.
func ReadyIs(node string, status corev1.ConditionStatus) Condition {
	return Condition{Claim: fmt.Sprintf("node %s has Ready=%s", node, status), Lacks: func(state *history.State) string {
		now := state.Node(node)
		if now == nil {
			return "the node is gone"
		}
		if have := readyStatus(now); have != status {
			return fmt.Sprintf("it has Ready=%s", have)
		}
		return ""
	}}
}

// Unreachable is the condition that the control plane takes a node for one that
// cannot be reached, and has put the taints of that on it.
func Unreachable(node string) Condition {
	return ReadyIs(node, corev1.ConditionUnknown).And(Tainted(node,
		corev1.Taint{Key: corev1.TaintNodeUnreachable, Effect: corev1.TaintEffectNoSchedule},
		corev1.Taint{Key: corev1.TaintNodeUnreachable, Effect: corev1.TaintEffectNoExecute}))
}

// StaysReady is the claim that a node, once Ready, never stops being so.
func StaysReady(node string) Judge {
	return Judge{Claim: "node " + node + " stays Ready", Find: func(h *history.History) []Violation {
		var violations []Violation
		was, seen := false, false
		for _, change := range h.Changes() {
			now, ok := change.Object.(*corev1.Node)
			if !ok || now.Name != node {
				continue
			}
			is := change.Type != watch.Deleted && NodeReady(now)
			if was && !is {
				violations = append(violations, Violation{At: change.At, Node: node, Message: "stops being Ready: " + DescribeNode(now)})
			}
			was, seen = is, seen || is
		}
		if !seen {
			violations = append(violations, Violation{At: h.Latest().At, Node: node, Message: "was never Ready"})
		}
		return violations
	}}
}

func readyStatus(node *corev1.Node) corev1.ConditionStatus {
	if ready := NodeCondition(node, corev1.NodeReady); ready != nil {
		return ready.Status
	}
	return corev1.ConditionUnknown
}
