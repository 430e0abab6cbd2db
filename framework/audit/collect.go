package audit

import (
	"context"
	"errors"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/pager"

	"rollcall.dev/rollcall/framework/exit"
)

// Collect reads a snapshot of a cluster: the DaemonSet called name in a namespace,
// or all of them in every namespace if both are empty. It gets or lists each kind
// once, the DaemonSets twice, and keeps of each Pod only what an audit needs.
// Its errors are exit.EnvironmentErrors.
func Collect(ctx context.Context, client kubernetes.Interface, namespace, name string) (*Snapshot, error) {
	s := newSnapshot(namespace)
	s.At = time.Now()
	c := collector{s, client, namespace, name}
	for _, step := range []struct {
		what string
		read func(context.Context) error
	}{
		{"DaemonSets", c.daemonSets(&s.Before)},
		{"Nodes", c.nodes},
		{"Pods", c.pods},
		{"Events", c.events},
		{"ControllerRevisions", c.revisions},
		{"DaemonSets once more", c.daemonSets(&s.After)},
	} {
		if err := step.read(ctx); err != nil {
			if errors.Is(err, context.Canceled) {
				return nil, err
			}
			return nil, exit.Environmentf("cannot read the %s: %w", step.what, err)
		}
	}
	return s, nil
}

type collector struct {
	*Snapshot
	client          kubernetes.Interface
	namespace, name string
}

// daemonSets returns what reads them into a list. One that is gone is left out,
// which the audit notices.
func (c collector) daemonSets(into *[]*appsv1.DaemonSet) func(context.Context) error {
	return func(ctx context.Context) error {
		api := c.client.AppsV1().DaemonSets(c.namespace)
		if c.name == "" {
			return each(ctx, api.List, metav1.ListOptions{}, func(d *appsv1.DaemonSet) { *into = append(*into, d) })
		}
		d, err := api.Get(ctx, c.name, metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			return nil
		}
		*into = append(*into, d)
		return err
	}
}

func (c collector) nodes(ctx context.Context) error {
	return each(ctx, c.client.CoreV1().Nodes().List, metav1.ListOptions{}, func(node *corev1.Node) {
		node.Status.Images, node.ManagedFields = nil, nil
		c.Nodes = append(c.Nodes, node)
	})
}

func (c collector) pods(ctx context.Context) error {
	return each(ctx, c.client.CoreV1().Pods(c.namespace).List, metav1.ListOptions{}, c.addPod)
}

func (c collector) events(ctx context.Context) error {
	warnings := metav1.ListOptions{FieldSelector: fields.OneTermEqualSelector("type", corev1.EventTypeWarning).String()}
	return each(ctx, c.client.CoreV1().Events(c.namespace).List, warnings, c.addEvent)
}

func (c collector) revisions(ctx context.Context) error {
	return each(ctx, c.client.AppsV1().ControllerRevisions(c.namespace).List, metav1.ListOptions{}, c.addRevision)
}

// each lists in pages and shows every object.
func each[List runtime.Object, P runtime.Object](
	ctx context.Context, list func(context.Context, metav1.ListOptions) (List, error), options metav1.ListOptions, take func(P),
) error {
	pages := pager.New(func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
		return list(ctx, options)
	})
	return pages.EachListItem(ctx, options, func(object runtime.Object) error {
		item, ok := object.(P)
		if !ok {
			return fmt.Errorf("a list holds a %T", object)
		}
		take(item)
		return nil
	})
}
