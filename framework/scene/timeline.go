package scene

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/report"
)

// NewTimeline condenses a history to what a picture of it needs: for each Pod
// the stretches in which it was in one state.
func NewTimeline(h *history.History) *report.Timeline {
	changes := h.Changes()
	if len(changes) == 0 {
		return nil
	}
	t := &report.Timeline{From: changes[0].At, To: changes[len(changes)-1].At}
	open := map[types.UID]report.Bar{}
	for _, change := range changes {
		pod, ok := change.Object.(*corev1.Pod)
		if !ok {
			continue
		}
		advance(t, open, change.At, pod, change.Type == watch.Deleted)
	}
	for _, bar := range open {
		t.Bars = append(t.Bars, until(bar, t.To))
	}
	for _, mark := range h.Marks() {
		t.Marks = append(t.Marks, report.Moment{At: mark.At, Text: mark.Text})
	}
	return t
}

// advance closes a Pod's open bar when its state changes and opens the next.
func advance(t *report.Timeline, open map[types.UID]report.Bar, at time.Time, pod *corev1.Pod, gone bool) {
	bar, known := open[pod.UID]
	state := stateOf(pod)
	if known && !gone && bar.State == state && bar.Node == judge.TargetNode(pod) {
		return
	}
	if known {
		t.Bars = append(t.Bars, until(bar, at))
		delete(open, pod.UID)
	}
	if !gone {
		open[pod.UID] = report.Bar{Node: judge.TargetNode(pod), Pod: pod.Name, Version: pod.Labels["controller-revision-hash"], State: state, From: at}
	}
}

func until(bar report.Bar, at time.Time) report.Bar {
	bar.To = at
	return bar
}

func stateOf(pod *corev1.Pod) string {
	switch {
	case judge.Terminating(pod):
		return "terminating"
	case judge.Finished(pod):
		return "finished"
	case judge.Ready(pod):
		return "ready"
	case pod.Status.Phase == corev1.PodRunning:
		return "running"
	default:
		return "pending"
	}
}
