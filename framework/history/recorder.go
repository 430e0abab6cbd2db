package history

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/resourceversion"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	watchtools "k8s.io/client-go/tools/watch"
)

// Sources says where each kind's changes come from.
type Sources map[Kind]cache.ListerWatcherWithContext

// Namespaced returns the sources for what a spec does in one namespace: its
// Pods, DaemonSets, ControllerRevisions and Events, and every Node.
func Namespaced(client kubernetes.Interface, namespace string) Sources {
	from := func(getter cache.Getter, resource, namespace string) cache.ListerWatcherWithContext {
		return cache.NewListWatchFromClient(getter, resource, namespace, fields.Everything())
	}
	core, apps := client.CoreV1().RESTClient(), client.AppsV1().RESTClient()
	return Sources{
		Pod:                from(core, "pods", namespace),
		Event:              from(core, "events", namespace),
		DaemonSet:          from(apps, "daemonsets", namespace),
		ControllerRevision: from(apps, "controllerrevisions", namespace),
		Node:               from(core, "nodes", metav1.NamespaceAll),
	}
}

// Recorder feeds a history from watches until it is stopped.
type Recorder struct {
	*History
	// Began is when the recording was complete: what was added before it was
	// there already.
	Began   time.Time
	sources Sources
	ctx     context.Context // the recording's own, which Stop ends
	cancel  context.CancelFunc
	running sync.WaitGroup
}

// Record lists every source and then follows it. When it returns, everything
// that changes from now on will be in the history. It ends when the context
// does, or with Stop.
func Record(ctx context.Context, sources Sources) (*Recorder, error) {
	ctx, cancel := context.WithCancel(ctx)
	recorder := &Recorder{History: New(), sources: Sources{}, ctx: ctx, cancel: cancel}
	for _, kind := range slices.Sorted(maps.Keys(sources)) {
		if err := recorder.Follow(kind, sources[kind]); err != nil {
			recorder.Stop()
			return nil, err
		}
	}
	recorder.Began = recorder.now()
	return recorder, nil
}

// Follow adds a kind to a recording, as Record does. It must not run beside
// CatchUp.
func (r *Recorder) Follow(kind Kind, source cache.ListerWatcherWithContext) error {
	r.sources[kind] = source
	version, err := r.relist(r.ctx, kind, source)
	if err != nil {
		return fmt.Errorf("cannot list every %s: %w", kind, err)
	}
	r.running.Go(func() { r.follow(r.ctx, kind, source, version) })
	return nil
}

// Stop ends the recording and waits until nothing more is added.
func (r *Recorder) Stop() {
	r.cancel()
	r.running.Wait()
}

// follow watches from a version on. RetryWatcher resumes a broken connection
// from the last version it saw, which loses nothing. Only when the API server
// has forgotten that version are changes lost: then a gap is noted.
func (r *Recorder) follow(ctx context.Context, kind Kind, source cache.ListerWatcherWithContext, version string) {
	for ctx.Err() == nil {
		lost, err := r.watch(ctx, kind, source, version)
		if ctx.Err() != nil {
			return
		}
		version = r.recover(ctx, kind, source)
		r.AddGap(Gap{Kind: kind, From: lost, To: r.now(), Cause: err.Error()})
	}
}

// recover lists until it succeeds and returns the version to go on from.
func (r *Recorder) recover(ctx context.Context, kind Kind, source cache.ListerWithContext) string {
	for {
		version, err := r.relist(ctx, kind, source)
		if err == nil || ctx.Err() != nil {
			return version
		}
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
		}
	}
}

// watch appends changes until the watch cannot go on, and returns the instant
// of the last one and the reason.
func (r *Recorder) watch(ctx context.Context, kind Kind, source cache.WatcherWithContext, version string) (time.Time, error) {
	last := r.now()
	watcher, err := watchtools.NewRetryWatcherWithContext(ctx, version, honest{source})
	if err != nil {
		return last, err
	}
	defer watcher.Stop()
	for event := range watcher.ResultChan() {
		if event.Type == watch.Error {
			return last, apierrors.FromObject(event.Object)
		}
		object, err := meta.Accessor(event.Object)
		if err != nil {
			return last, err
		}
		last = r.now()
		r.Append(kind, event.Type, object)
	}
	return last, errors.New("the watch ended")
}

// honest hands an expired version on as an event. RetryWatcher would otherwise
// try it again for ever, since it knows that case only from a running watch.
type honest struct{ cache.WatcherWithContext }

func (h honest) WatchWithContext(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
	watcher, err := h.WatcherWithContext.WatchWithContext(ctx, options)
	if err == nil || !(apierrors.IsResourceExpired(err) || apierrors.IsGone(err)) {
		return watcher, err
	}
	status := err.(apierrors.APIStatus).Status()
	status.Code = 410 // both reasons mean Gone; some servers leave the code out
	events := make(chan watch.Event, 1)
	events <- watch.Event{Type: watch.Error, Object: &status}
	return watch.NewProxyWatcher(events), nil
}

// relist brings the history to what a list shows and returns its version.
func (r *Recorder) relist(ctx context.Context, kind Kind, source cache.ListerWithContext) (string, error) {
	listed, version, err := list(ctx, source)
	if err != nil {
		return "", err
	}
	known := r.Latest().objects[kind]
	for uid, object := range known {
		if _, still := listed[uid]; !still {
			r.Append(kind, watch.Deleted, object)
		}
	}
	for uid, object := range listed {
		switch before, ok := known[uid]; {
		case !ok:
			r.Append(kind, watch.Added, object)
		case before.GetResourceVersion() != object.GetResourceVersion():
			r.Append(kind, watch.Modified, object)
		}
	}
	return version, nil
}

func list(ctx context.Context, source cache.ListerWithContext) (map[types.UID]metav1.Object, string, error) {
	list, err := source.ListWithContext(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, "", err
	}
	objects := map[types.UID]metav1.Object{}
	err = meta.EachListItem(list, func(item runtime.Object) error {
		object, err := meta.Accessor(item)
		if err == nil {
			objects[object.GetUID()] = object
		}
		return err
	})
	if err != nil {
		return nil, "", err
	}
	accessor, err := meta.ListAccessor(list)
	if err != nil {
		return nil, "", err
	}
	return objects, accessor.GetResourceVersion(), nil
}

// CatchUp returns once the history holds everything that the API server knew
// of a kind when CatchUp was called. A judge that reads several kinds needs
// this: their watches do not advance in step.
func (r *Recorder) CatchUp(ctx context.Context, kind Kind) error {
	listed, version, err := list(ctx, r.sources[kind])
	if err != nil {
		return err
	}
	return r.Await(ctx, func(state *State) bool {
		for uid, object := range state.objects[kind] {
			if want, ok := listed[uid]; ok && older(object, want) {
				return false
			}
		}
		return r.seen(listed) && !outlived(state, kind, listed, version)
	})
}

// seen reports whether each listed object is in the history at least once.
func (r *Recorder) seen(listed map[types.UID]metav1.Object) bool {
	missing := maps.Clone(listed)
	for _, change := range r.Changes() {
		delete(missing, change.UID())
	}
	return len(missing) == 0
}

// outlived reports whether the history still shows an object that a list of
// that version no longer held: its deletion is yet to come.
func outlived(state *State, kind Kind, listed map[types.UID]metav1.Object, version string) bool {
	for uid, object := range state.objects[kind] {
		if _, ok := listed[uid]; !ok && olderVersion(object.GetResourceVersion(), version) {
			return true
		}
	}
	return false
}

func older(a, b metav1.Object) bool {
	return olderVersion(a.GetResourceVersion(), b.GetResourceVersion())
}

func olderVersion(a, b string) bool {
	order, err := resourceversion.CompareResourceVersion(a, b)
	return err == nil && order < 0
}
