package node

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"
)

// Kind is what a change is about.
type Kind string

// The kinds of changes.
const (
	// OfLabel sets or removes one label.
	OfLabel Kind = "label"
	// OfTaint sets or removes the taint of one key and effect.
	OfTaint Kind = "taint"
	// OfCordon sets spec.unschedulable.
	OfCordon Kind = "cordon"
	// OfObject creates the Node object itself.
	OfObject Kind = "node object"
	// OfKubelet stops the kubelet; the value is until when.
	OfKubelet Kind = "kubelet"
	// OfIdentity deletes the Node object and creates it again.
	OfIdentity Kind = "identity"
)

// cordoned is the value of a cordon; without one a node takes Pods.
const cordoned = "true"

// Change is one thing about a node and the value that it should have.
type Change struct {
	Kind Kind `json:"kind"`
	// Key is a label's key, or a taint's as KEY:EFFECT.
	Key string `json:"key,omitempty"`
	// Value is what is wanted; nil removes the thing.
	Value *string `json:"value"`
}

// Label sets a label.
func Label(key, value string) Change { return Change{OfLabel, key, &value} }

// Unlabel removes a label.
func Unlabel(key string) Change { return Change{OfLabel, key, nil} }

// Taint sets a taint.
func Taint(taint corev1.Taint) Change {
	return Change{OfTaint, fmt.Sprintf("%s:%s", taint.Key, taint.Effect), ptr.To(taint.Value)}
}

// Cordon marks a node as unschedulable.
func Cordon() Change { return Change{OfCordon, "", ptr.To(cordoned)} }

// Uncordon lets a node take Pods.
func Uncordon() Change { return Change{OfCordon, "", nil} }

// String names the thing that is changed.
func (c Change) String() string { return strings.TrimSpace(string(c.Kind) + " " + c.Key) }

// valueOn returns what a node has in its place; nil if nothing.
func (c Change) valueOn(node *corev1.Node) *string {
	switch c.Kind {
	case OfLabel:
		if value, ok := node.Labels[c.Key]; ok {
			return &value
		}
	case OfTaint:
		for _, taint := range node.Spec.Taints {
			if c.isTaint(taint) {
				return ptr.To(taint.Value)
			}
		}
	case OfCordon:
		if node.Spec.Unschedulable {
			return ptr.To(cordoned)
		}
	}
	return nil
}

// patch returns the merge patch that gives a node just this value.
func (c Change) patch(node *corev1.Node) map[string]any {
	switch c.Kind {
	case OfLabel:
		return map[string]any{"metadata": map[string]any{"labels": map[string]any{c.Key: c.Value}}}
	case OfTaint:
		return map[string]any{"spec": map[string]any{"taints": c.taints(node)}}
	default:
		return map[string]any{"spec": map[string]any{"unschedulable": c.Value != nil}}
	}
}

// taints returns the node's taints with this one set or removed. A merge patch
// replaces the whole list, which is safe since it names the version that the
// list was read from.
func (c Change) taints(node *corev1.Node) []corev1.Taint {
	taints := slices.DeleteFunc(slices.Clone(node.Spec.Taints), c.isTaint)
	if c.Value != nil {
		key, effect, _ := strings.Cut(c.Key, ":")
		taints = append(taints, corev1.Taint{Key: key, Value: *c.Value, Effect: corev1.TaintEffect(effect)})
	}
	return taints
}

func (c Change) isTaint(taint corev1.Taint) bool {
	return c.Kind == OfTaint && c.Key == fmt.Sprintf("%s:%s", taint.Key, taint.Effect)
}

// show prints a value for a reader.
func show(value *string) string {
	if value == nil {
		return "nothing"
	}
	return fmt.Sprintf("%q", *value)
}
