package history

import (
	"context"
	"iter"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

// History is an ordered record of changes. It may be read while it grows.
type History struct {
	mu      sync.Mutex
	changes []Change
	gaps    []Gap
	marks   []Mark
	latest  *State
	grown   chan struct{} // closed and replaced at every change
	now     func() time.Time
}

// New returns an empty history.
func New() *History {
	return &History{latest: newState(), grown: make(chan struct{}), now: time.Now}
}

// Append adds one change. Recorders call it; tests build histories with it.
func (h *History) Append(kind Kind, kindOfChange watch.EventType, object metav1.Object) {
	h.AppendAt(h.now(), kind, kindOfChange, object)
}

// AppendAt adds one change that was seen at an instant.
func (h *History) AppendAt(at time.Time, kind Kind, kindOfChange watch.EventType, object metav1.Object) {
	h.mu.Lock()
	defer h.mu.Unlock()
	change := Change{At: at, Kind: kind, Type: kindOfChange, Object: object, Before: h.latest.get(kind, object.GetUID())}
	h.changes = append(h.changes, change)
	h.latest = h.latest.after(change)
	h.wake()
}

// Mark notes an action of the spec.
func (h *History) Mark(text string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.marks = append(h.marks, Mark{At: h.now(), Text: text})
}

// AddGap notes that changes may be missing.
func (h *History) AddGap(gap Gap) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.gaps = append(h.gaps, gap)
	h.wake()
}

func (h *History) wake() {
	close(h.grown)
	h.grown = make(chan struct{})
}

// Changes returns the changes so far, oldest first.
func (h *History) Changes() []Change {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.changes[:len(h.changes):len(h.changes)]
}

// Gaps returns the stretches in which changes may be missing.
func (h *History) Gaps() []Gap {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.gaps[:len(h.gaps):len(h.gaps)]
}

// Marks returns the actions of the spec, oldest first.
func (h *History) Marks() []Mark {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.marks[:len(h.marks):len(h.marks)]
}

// Latest returns the state after the newest change.
func (h *History) Latest() *State {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.latest
}

// States replays the history: each change with the state right after it.
func (h *History) States() iter.Seq2[Change, *State] {
	return func(yield func(Change, *State) bool) {
		state := newState()
		for _, change := range h.Changes() {
			state = state.after(change)
			if !yield(change, state) {
				return
			}
		}
	}
}

// Lives returns the changes of one object, oldest first.
func (h *History) Lives(uid types.UID) []Change {
	var lives []Change
	for _, change := range h.Changes() {
		if change.UID() == uid {
			lives = append(lives, change)
		}
	}
	return lives
}

// Await returns once the newest state satisfies holds, or with the context's
// error. It looks again at every change and at no other time.
func (h *History) Await(ctx context.Context, holds func(*State) bool) error {
	for {
		h.mu.Lock()
		state, grown := h.latest, h.grown
		h.mu.Unlock()
		if holds(state) {
			return nil
		}
		select {
		case <-grown:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (h *History) len() int { return len(h.Changes()) }
