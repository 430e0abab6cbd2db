package history

import (
	"cmp"
	"maps"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

// State is every followed object at one instant. It never changes.
type State struct {
	// At is the instant of the change that led to this state.
	At      time.Time
	objects map[Kind]map[types.UID]metav1.Object
}

func newState() *State {
	return &State{objects: map[Kind]map[types.UID]metav1.Object{}}
}

// after returns the state that a change leads to. Only the changed kind's map
// is copied, so a replay stays cheap.
func (s *State) after(change Change) *State {
	next := &State{At: change.At, objects: maps.Clone(s.objects)}
	ofKind := maps.Clone(s.objects[change.Kind])
	if ofKind == nil {
		ofKind = map[types.UID]metav1.Object{}
	}
	if change.Type == watch.Deleted {
		delete(ofKind, change.UID())
	} else {
		ofKind[change.UID()] = change.Object
	}
	next.objects[change.Kind] = ofKind
	return next
}

func (s *State) get(kind Kind, uid types.UID) metav1.Object { return s.objects[kind][uid] }

// Objects returns all objects of a kind, by name and then by UID.
func Objects[T metav1.Object](s *State, kind Kind) []T {
	objects := make([]T, 0, len(s.objects[kind]))
	for _, object := range s.objects[kind] {
		objects = append(objects, object.(T))
	}
	slices.SortFunc(objects, func(a, b T) int {
		return cmp.Or(cmp.Compare(a.GetName(), b.GetName()), cmp.Compare(a.GetUID(), b.GetUID()))
	})
	return objects
}

func named[T metav1.Object](s *State, kind Kind, name string) (found T) {
	for _, object := range s.objects[kind] {
		if object.GetName() == name {
			found = object.(T)
		}
	}
	return found
}

// Pods returns every Pod, finished and terminating ones too.
func (s *State) Pods() []*corev1.Pod { return Objects[*corev1.Pod](s, Pod) }

// Nodes returns every Node.
func (s *State) Nodes() []*corev1.Node { return Objects[*corev1.Node](s, Node) }

// Revisions returns every ControllerRevision.
func (s *State) Revisions() []*appsv1.ControllerRevision {
	return Objects[*appsv1.ControllerRevision](s, ControllerRevision)
}

// Pod returns the Pod of that name, or nil.
func (s *State) Pod(name string) *corev1.Pod { return named[*corev1.Pod](s, Pod, name) }

// Node returns the Node of that name, or nil.
func (s *State) Node(name string) *corev1.Node { return named[*corev1.Node](s, Node, name) }

// DaemonSet returns the DaemonSet of that name, or nil.
func (s *State) DaemonSet(name string) *appsv1.DaemonSet {
	return named[*appsv1.DaemonSet](s, DaemonSet, name)
}

// PodsOf returns the Pods that an object controls, by owner reference.
func (s *State) PodsOf(owner types.UID) []*corev1.Pod {
	return slices.DeleteFunc(s.Pods(), func(pod *corev1.Pod) bool {
		controller := metav1.GetControllerOf(pod)
		return controller == nil || controller.UID != owner
	})
}

// EventsAbout returns the Events about an object, oldest first.
func (s *State) EventsAbout(uid types.UID) []*corev1.Event {
	events := slices.DeleteFunc(s.Events(), func(event *corev1.Event) bool {
		return event.InvolvedObject.UID != uid
	})
	return events
}

// Events returns every Event, the one last seen at the end.
func (s *State) Events() []*corev1.Event {
	events := Objects[*corev1.Event](s, Event)
	slices.SortStableFunc(events, func(a, b *corev1.Event) int {
		return lastSeen(a).Compare(lastSeen(b))
	})
	return events
}

// lastSeen copes with both generations of the Event API: the newer one sets
// eventTime and series, the older one lastTimestamp.
func lastSeen(event *corev1.Event) time.Time {
	switch {
	case event.Series != nil:
		return event.Series.LastObservedTime.Time
	case !event.LastTimestamp.IsZero():
		return event.LastTimestamp.Time
	default:
		return event.EventTime.Time
	}
}
