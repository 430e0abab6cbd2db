package history

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

// server is a list and a watch of Pods that a test plays by hand.
type server struct {
	mu       sync.Mutex
	pods     []corev1.Pod
	version  int
	watchers []*watch.FakeWatcher
	from     []string // the version that each watch asked for
	watching chan struct{}
	refuse   error
}

func newServer(pods ...corev1.Pod) *server {
	return &server{pods: pods, version: 10, watching: make(chan struct{}, 10)}
}

func (s *server) ListWithContext(context.Context, metav1.ListOptions) (runtime.Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return &corev1.PodList{ListMeta: metav1.ListMeta{ResourceVersion: strconv.Itoa(s.version)}, Items: slices.Clone(s.pods)}, nil
}

func (s *server) WatchWithContext(_ context.Context, options metav1.ListOptions) (watch.Interface, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.from = append(s.from, options.ResourceVersion)
	if err := s.refuse; err != nil {
		s.refuse = nil
		return nil, err
	}
	watcher := watch.NewFake()
	s.watchers = append(s.watchers, watcher)
	s.watching <- struct{}{}
	return watcher, nil
}

// watcher waits for the next watch to be opened and returns it.
func (s *server) watcher(t *testing.T) *watch.FakeWatcher {
	t.Helper()
	select {
	case <-s.watching:
	case <-t.Context().Done():
		t.Fatal("nobody watches")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.watchers[len(s.watchers)-1]
}

func pod(name string, version int) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID("uid-" + name), ResourceVersion: strconv.Itoa(version)}}
}

func record(t *testing.T, s *server) *Recorder {
	t.Helper()
	recorder, err := Record(t.Context(), Sources{Pod: s})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(recorder.Stop)
	return recorder
}

// settle waits until the history has n changes.
func settle(t *testing.T, h *Recorder, n int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if err := h.Await(ctx, func(*State) bool { return h.len() >= n }); err != nil {
		t.Fatalf("history has %d changes, want %d", h.len(), n)
	}
}

func kinds(h *Recorder) []watch.EventType {
	var kinds []watch.EventType
	for _, change := range h.Changes() {
		kinds = append(kinds, change.Type)
	}
	return kinds
}

func TestRecordKeepsEveryChangeInOrder(t *testing.T) {
	s := newServer(*pod("a", 5))
	h := record(t, s)
	w := s.watcher(t)
	w.Add(pod("b", 11))
	w.Modify(pod("a", 12))
	w.Delete(pod("b", 13))
	settle(t, h, 4)

	if got, want := kinds(h), []watch.EventType{watch.Added, watch.Added, watch.Modified, watch.Deleted}; !slices.Equal(got, want) {
		t.Errorf("changes %v, want %v", got, want)
	}
	if s.from[0] != "10" {
		t.Errorf("the watch began at version %s, the list was of 10: what lies between is lost", s.from[0])
	}
	if len(h.Gaps()) != 0 {
		t.Errorf("gaps in a watch that never broke: %v", h.Gaps())
	}
	if before := h.Changes()[2].Before; before == nil || before.GetResourceVersion() != "5" {
		t.Errorf("the modification does not know what was before: %v", before)
	}
	if h.Latest().Pod("a") == nil || h.Latest().Pod("b") != nil {
		t.Errorf("the latest state has the wrong Pods: %v", h.Latest().Pods())
	}
}

func TestBrokenConnectionResumesWithoutGap(t *testing.T) {
	s := newServer()
	h := record(t, s)
	w := s.watcher(t)
	w.Add(pod("a", 11))
	settle(t, h, 1)
	w.Stop()
	s.watcher(t).Add(pod("b", 12))
	settle(t, h, 2)

	if s.from[1] != "11" {
		t.Errorf("resumed from version %s, the last one seen was 11", s.from[1])
	}
	if len(h.Gaps()) != 0 {
		t.Errorf("a resumed watch loses nothing, but gaps are %v", h.Gaps())
	}
}

func TestExpiredVersionLeavesGap(t *testing.T) {
	expired := apierrors.NewResourceExpired("too old resource version")
	for name, breakWatch := range map[string]func(*server, *watch.FakeWatcher){
		"told by the running watch": func(_ *server, w *watch.FakeWatcher) {
			status := expired.Status()
			status.Code = http.StatusGone
			w.Error(&status)
		},
		"told when resuming": func(s *server, w *watch.FakeWatcher) {
			s.mu.Lock()
			s.refuse = expired
			s.mu.Unlock()
			w.Stop()
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(*pod("stays", 5), *pod("goes", 6))
			h := record(t, s)
			w := s.watcher(t)
			s.mu.Lock()
			s.pods, s.version = []corev1.Pod{*pod("stays", 20), *pod("comes", 21)}, 30
			s.mu.Unlock()
			breakWatch(s, w)
			s.watcher(t)
			settle(t, h, 5)

			if gaps := h.Gaps(); len(gaps) != 1 || gaps[0].Kind != Pod || gaps[0].Cause == "" {
				t.Errorf("want one gap of Pods with its cause, got %v", gaps)
			}
			if h.Latest().Pod("goes") != nil || h.Latest().Pod("comes") == nil || h.Latest().Pod("stays").ResourceVersion != "20" {
				t.Errorf("the state after the gap is not the listed one: %v", h.Latest().Pods())
			}
		})
	}
}

func TestRecordFailsWithoutList(t *testing.T) {
	if _, err := Record(t.Context(), Sources{Pod: unlistable{newServer()}}); err == nil {
		t.Error("no error although nothing can be listed")
	}
}

type unlistable struct{ *server }

func (unlistable) ListWithContext(context.Context, metav1.ListOptions) (runtime.Object, error) {
	return nil, apierrors.NewForbidden(corev1.Resource("pods"), "", nil)
}

func TestCatchUpWaitsForWhatTheServerKnows(t *testing.T) {
	s := newServer(*pod("a", 5), *pod("b", 6))
	h := record(t, s)
	w := s.watcher(t)
	s.mu.Lock()
	s.pods, s.version = []corev1.Pod{*pod("a", 12)}, 14
	s.mu.Unlock()
	caught := make(chan error)
	go func() { caught <- h.CatchUp(t.Context(), Pod) }()
	for _, step := range []func(){func() { w.Modify(pod("a", 12)) }, func() { w.Delete(pod("b", 13)) }} {
		select {
		case err := <-caught:
			t.Fatalf("caught up with changes still to come: %v", err)
		default:
		}
		step()
	}
	if err := <-caught; err != nil {
		t.Fatal(err)
	}
}

func TestAwaitEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := New().Await(ctx, func(*State) bool { return false }); err == nil {
		t.Error("no error from a wait that was cancelled")
	}
}

func TestStatesReplay(t *testing.T) {
	h := New()
	h.Append(Pod, watch.Added, pod("a", 1))
	h.Append(Pod, watch.Added, pod("b", 2))
	h.Append(Pod, watch.Deleted, pod("a", 3))
	var counts []int
	for _, state := range h.States() {
		counts = append(counts, len(state.Pods()))
	}
	if want := []int{1, 2, 1}; !slices.Equal(counts, want) {
		t.Errorf("Pods at each state %v, want %v", counts, want)
	}
}
