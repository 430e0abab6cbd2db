package history

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

// Kind is a kind of object that a history follows.
type Kind string

// The kinds that a history can follow.
const (
	Pod                Kind = "Pod"
	Node               Kind = "Node"
	DaemonSet          Kind = "DaemonSet"
	ControllerRevision Kind = "ControllerRevision"
	Event              Kind = "Event"
	Namespace          Kind = "Namespace"
	EndpointSlice      Kind = "EndpointSlice"
)

// Change is one change of one object, in the order in which the API server
// told it.
type Change struct {
	// At is when the change was seen here, by this process's clock.
	At time.Time
	// Kind and Type say what changed and how: Added, Modified or Deleted.
	Kind Kind
	Type watch.EventType
	// Object is the object after the change; of a deletion, its last state.
	Object metav1.Object
	// Before is the object before the change, nil if it was not known.
	Before metav1.Object
}

// UID identifies the object that changed.
func (c Change) UID() types.UID { return c.Object.GetUID() }

// Gap is a stretch in which changes of a kind may have been missed.
type Gap struct {
	Kind     Kind
	From, To time.Time
	Cause    string
}

// Mark is an action of the spec itself, so that a reader of the history can
// tell cause from effect.
type Mark struct {
	At   time.Time
	Text string
}

// AsNode returns the Node that an object of a Node change is.
func AsNode(object metav1.Object) *corev1.Node { return object.(*corev1.Node) }
