package audit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// event is what is kept of a warning.
type event struct {
	at              time.Time
	reason, message string
	count           int32
}

func (e event) String() string {
	times := ""
	if e.count > 1 {
		times = fmt.Sprintf(" (%d times)", e.count)
	}
	return fmt.Sprintf("event %s at %s%s: %s", e.reason, e.at.UTC().Format(time.RFC3339), times, e.message)
}

// addEvent keeps a warning about a Pod or a DaemonSet.
func (s *Snapshot) addEvent(e *corev1.Event) {
	kind := e.InvolvedObject.Kind
	if e.Type != corev1.EventTypeWarning || kind != "Pod" && kind != daemonSetKind.Kind {
		return
	}
	kept := event{at: lastSeen(e), reason: e.Reason, message: strings.Join(strings.Fields(e.Message), " "), count: e.Count}
	if e.Series != nil {
		kept.count = e.Series.Count
	}
	s.events[e.InvolvedObject.UID] = append(s.events[e.InvolvedObject.UID], kept)
	s.tick(kept.at)
}

// lastSeen copes with both generations of the Event API.
func lastSeen(e *corev1.Event) time.Time {
	if e.Series != nil {
		return e.Series.LastObservedTime.Time
	}
	if !e.LastTimestamp.IsZero() {
		return e.LastTimestamp.Time
	}
	return cmp.Or(e.EventTime.Time, e.CreationTimestamp.Time)
}

// warnings returns those about an object with one of these reasons (all if none
// is given), the newest first.
func (s *Snapshot) warnings(about types.UID, reasons ...string) []event {
	found := slices.DeleteFunc(slices.Clone(s.events[about]), func(e event) bool {
		return len(reasons) > 0 && !slices.Contains(reasons, e.reason)
	})
	slices.SortStableFunc(found, func(a, b event) int { return b.at.Compare(a.at) })
	return found
}
