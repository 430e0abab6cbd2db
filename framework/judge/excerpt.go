package judge

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"rollcall.dev/rollcall/framework/history"
)

// clock is how instants are printed: within a failure only the time of day
// matters, to the millisecond.
const clock = "15:04:05.000"

// Excerpt prints the lines of a history around an instant, a change a line,
// with the spec's own actions between them.
func Excerpt(h *history.History, at time.Time) string {
	const before, after = 12, 4
	lines := timeline(h)
	middle := 0
	for middle < len(lines) && !lines[middle].at.After(at) {
		middle++
	}
	var text strings.Builder
	for _, line := range lines[max(0, middle-before):min(len(lines), middle+after)] {
		pointer := " "
		if line.at.Equal(at) {
			pointer = ">"
		}
		fmt.Fprintf(&text, "%s %s  %s\n", pointer, line.at.UTC().Format(clock), line.text)
	}
	return text.String()
}

type line struct {
	at   time.Time
	text string
}

// timeline merges changes and marks. Nodes report a heartbeat every few seconds,
// and other specs act on theirs, which would drown the rest: only what matters is
// kept, of the nodes that this spec has to do with.
func timeline(h *history.History) []line {
	var lines []line
	marks, ours := h.Marks(), nodesOf(h)
	for _, change := range h.Changes() {
		if change.Kind == history.Node && !ours[change.Object.GetName()] {
			continue
		}
		for len(marks) > 0 && marks[0].At.Before(change.At) {
			lines = append(lines, line{marks[0].At, "* " + marks[0].Text})
			marks = marks[1:]
		}
		if text := describeChange(change); text != "" {
			lines = append(lines, line{change.At, text})
		}
	}
	for _, mark := range marks {
		lines = append(lines, line{mark.At, "* " + mark.Text})
	}
	return lines
}

// nodesOf tells the nodes that had a Pod of this spec, or that one of its actions
// names.
func nodesOf(h *history.History) map[string]bool {
	names := map[string]bool{}
	for _, change := range h.Changes() {
		if pod, ok := change.Object.(*corev1.Pod); ok {
			names[TargetNode(pod)] = true
		}
	}
	for _, mark := range h.Marks() {
		for _, word := range strings.Fields(mark.Text) {
			names[strings.TrimRight(word, ":,")] = true
		}
	}
	return names
}

func describeChange(change history.Change) string {
	what := fmt.Sprintf("%s %s %s", strings.ToLower(string(change.Type)), change.Kind, change.Object.GetName())
	switch object := change.Object.(type) {
	case *corev1.Pod:
		return fmt.Sprintf("%s on %s: %s", what, cmp.Or(TargetNode(object), "no node"), DescribePod(object))
	case *appsv1.DaemonSet:
		s := object.Status
		return fmt.Sprintf("%s: generation %d, observed %d, desired %d, current %d, ready %d, available %d, updated %d, misscheduled %d",
			what, object.Generation, s.ObservedGeneration, s.DesiredNumberScheduled, s.CurrentNumberScheduled, s.NumberReady, s.NumberAvailable, s.UpdatedNumberScheduled, s.NumberMisscheduled)
	case *corev1.Node:
		return describeNodeChange(what, change.Before, object)
	case *corev1.Event:
		return fmt.Sprintf("event %s about %s %s: %s", object.Reason, object.InvolvedObject.Kind, object.InvolvedObject.Name, object.Message)
	default:
		return what
	}
}

func describeNodeChange(what string, before metav1.Object, node *corev1.Node) string {
	now := DescribeNode(node)
	if old, ok := before.(*corev1.Node); ok && DescribeNode(old) == now {
		return ""
	}
	return what + ": " + now
}

// DescribeNode tells what of a node decides about its Pods.
func DescribeNode(node *corev1.Node) string {
	words := []string{"NotReady"}
	if NodeReady(node) {
		words[0] = "Ready"
	}
	if node.Spec.Unschedulable {
		words = append(words, "cordoned")
	}
	for _, taint := range node.Spec.Taints {
		words = append(words, "taint "+taint.ToString())
	}
	return strings.Join(words, ", ")
}
