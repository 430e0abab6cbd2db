package history

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

// line is a change, a mark or a gap, as a line of JSON. An object is written whole
// only when it is first seen; after that, a merge patch (RFC 7386) says what
// became different.
type line struct {
	At     time.Time       `json:"at"`
	Kind   Kind            `json:"kind,omitempty"`
	Type   watch.EventType `json:"type,omitempty"`
	Name   string          `json:"name,omitempty"`
	UID    types.UID       `json:"uid,omitempty"`
	Object json.RawMessage `json:"object,omitempty"`
	Patch  json.RawMessage `json:"patch,omitempty"`
	Mark   string          `json:"mark,omitempty"`
	Gap    *Gap            `json:"gap,omitempty"`
}

// Write writes a history as lines of JSON, oldest first, without what no judge
// reads. A change of nothing else, such as a node's heartbeat, is left out.
func (h *History) Write(to io.Writer) error {
	changes, err := h.written()
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(to)
	for _, line := range inOrder(changes, h.marked()) {
		if err := encoder.Encode(line); err != nil {
			return err
		}
	}
	return nil
}

// written returns the lines of the changes.
func (h *History) written() ([]line, error) {
	var lines []line
	known := map[types.UID][]byte{}
	for _, change := range h.Changes() {
		object, err := json.Marshal(small(change.Object))
		if err != nil {
			return nil, err
		}
		l := line{At: change.At, Kind: change.Kind, Type: change.Type, Name: change.Object.GetName(), UID: change.UID()}
		if before := known[l.UID]; before == nil {
			l.Object = object
		} else if l.Patch, err = jsonpatch.CreateMergePatch(before, object); err != nil {
			return nil, err
		}
		known[l.UID] = object
		if l.Type != watch.Modified || string(l.Patch) != "{}" {
			lines = append(lines, l)
		}
	}
	return lines, nil
}

// marked returns the lines of the marks and of the gaps.
func (h *History) marked() (marks []line) {
	for _, mark := range h.Marks() {
		marks = append(marks, line{At: mark.At, Mark: mark.Text})
	}
	gaps := h.Gaps()
	for i := range gaps {
		marks = append(marks, line{At: gaps[i].To, Gap: &gaps[i]})
	}
	return marks
}

// inOrder puts marks where they belong between changes, whose own order is kept:
// it is the API server's.
func inOrder(changes, marks []line) []line {
	var lines []line
	for _, change := range changes {
		for len(marks) > 0 && marks[0].At.Before(change.At) {
			lines, marks = append(lines, marks[0]), marks[1:]
		}
		lines = append(lines, change)
	}
	return append(lines, marks...)
}

// Read reads what Write has written.
func Read(from io.Reader) (*History, error) {
	h, known := New(), map[types.UID][]byte{}
	decoder := json.NewDecoder(bufio.NewReader(from))
	for n := 1; ; n++ {
		var l line
		err := decoder.Decode(&l)
		if errors.Is(err, io.EOF) {
			return h, nil
		}
		if err == nil {
			err = h.enter(l, known)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d of the history: %w", n, err)
		}
	}
}

// enter adds a line to the history. Known are the objects as they were last
// written.
func (h *History) enter(l line, known map[types.UID][]byte) error {
	switch {
	case l.Mark != "":
		h.marks = append(h.marks, Mark{At: l.At, Text: l.Mark})
		return nil
	case l.Gap != nil:
		h.gaps = append(h.gaps, *l.Gap)
		return nil
	}
	written := []byte(l.Object)
	if l.Patch != nil {
		var err error
		if written, err = jsonpatch.MergePatch(known[l.UID], l.Patch); err != nil {
			return err
		}
	}
	object, err := empty(l.Kind)
	if err == nil {
		err = json.Unmarshal(written, object)
	}
	if err != nil {
		return err
	}
	known[l.UID] = written
	h.AppendAt(l.At, l.Kind, l.Type, object)
	return nil
}

func empty(kind Kind) (metav1.Object, error) {
	switch kind {
	case Pod:
		return &corev1.Pod{}, nil
	case Node:
		return &corev1.Node{}, nil
	case DaemonSet:
		return &appsv1.DaemonSet{}, nil
	case ControllerRevision:
		return &appsv1.ControllerRevision{}, nil
	case Event:
		return &corev1.Event{}, nil
	case Namespace:
		return &corev1.Namespace{}, nil
	case EndpointSlice:
		return &discoveryv1.EndpointSlice{}, nil
	default:
		return nil, fmt.Errorf("there is no kind %q", kind)
	}
}
