package await

import (
	"context"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	watchtools "k8s.io/client-go/tools/watch"
)

// Source is what every typed client of client-go can do.
type Source[List runtime.Object] interface {
	List(context.Context, metav1.ListOptions) (List, error)
	Watch(context.Context, metav1.ListOptions) (watch.Interface, error)
}

// Which narrows a Source down.
type Which struct {
	Name   string // the one object of this name
	Labels string // a label selector
	Fields string // a field selector, beside Name
}

// Named narrows a Source down to one object.
func Named(name string) Which { return Which{Name: name} }

// fields is the field selector in full.
func (w Which) fields() string {
	if w.Name == "" {
		return w.Fields
	}
	return strings.Trim(metav1.ObjectNameField+"="+w.Name+","+w.Fields, ",")
}

// has reports whether an object has the name that was asked for. A server sees
// to that; a fake client does not.
func (w Which) has(object any) bool {
	accessor, err := meta.Accessor(object)
	return err == nil && (w.Name == "" || accessor.GetName() == w.Name)
}

// Object is a pointer to an API type.
type Object[T any] interface {
	*T
	runtime.Object
}

// Until shows every object that is there, and then every change, to done until
// that says yes or fails. When ctx ends first, the error is the cause of that.
func Until[T any, P Object[T], List runtime.Object](
	ctx context.Context, client kubernetes.Interface, source Source[List], which Which,
	done func(event watch.EventType, object P) (bool, error),
) error {
	_, err := watchtools.UntilWithSync(ctx, listWatch(client, source, which), P(new(T)), nil,
		func(event watch.Event) (bool, error) {
			object, ok := event.Object.(P)
			if !ok || !which.has(object) {
				return false, nil
			}
			return done(event.Type, object)
		})
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// Gone waits until nothing is left of what a Source holds.
func Gone[T any, P Object[T], List runtime.Object](
	ctx context.Context, client kubernetes.Interface, source Source[List], which Which,
) error {
	left := sets.New[string]()
	_, err := watchtools.UntilWithSync(ctx, listWatch(client, source, which), P(new(T)),
		func(store cache.Store) (bool, error) {
			for _, object := range store.List() {
				left.Insert(keyOf(which, object)...)
			}
			return left.Len() == 0, nil
		},
		func(event watch.Event) (bool, error) {
			if event.Type == watch.Deleted {
				left.Delete(keyOf(which, event.Object)...)
			} else {
				left.Insert(keyOf(which, event.Object)...)
			}
			return left.Len() == 0, nil
		})
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// Ended shows the object called name, and every change of it, to done until that
// says yes or the object is gone.
func Ended[T any, P Object[T], List runtime.Object](
	ctx context.Context, client kubernetes.Interface, source Source[List], name string, done func(object P) bool,
) error {
	which := Named(name)
	_, err := watchtools.UntilWithSync(ctx, listWatch(client, source, which), P(new(T)),
		func(store cache.Store) (bool, error) {
			return !slices.ContainsFunc(store.List(), which.has), nil
		},
		func(event watch.Event) (bool, error) {
			object, ok := event.Object.(P)
			if !ok || !which.has(object) {
				return false, nil
			}
			return done(object) || event.Type == watch.Deleted, nil
		})
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// keyOf returns the object's key if the object is meant.
func keyOf(which Which, object any) []string {
	key, err := cache.MetaNamespaceKeyFunc(object)
	if err != nil || !which.has(object) {
		return nil
	}
	return []string{key}
}

func listWatch[List runtime.Object](client kubernetes.Interface, source Source[List], which Which) cache.ListerWatcher {
	narrow := func(options metav1.ListOptions) metav1.ListOptions {
		options.LabelSelector, options.FieldSelector = which.Labels, which.fields()
		return options
	}
	return cache.ToListWatcherWithWatchListSemantics(&cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
			return source.List(ctx, narrow(options))
		},
		WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
			return source.Watch(ctx, narrow(options))
		},
	}, client)
}
