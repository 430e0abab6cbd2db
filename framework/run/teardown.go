package run

import (
	"context"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/tools/cache"

	"rollcall.dev/rollcall/framework/cluster"
	"rollcall.dev/rollcall/framework/exit"
	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/limit"
)

// teardown deletes every namespace of the run that is still there, also those
// of workers that died, and waits until all are gone. It is done even when the
// run was told to stop.
func (r *running) teardown(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Duration(float64(limit.Teardown.For)*r.settings.Scale))
	defer cancel()
	namespaces, err := history.Record(ctx, history.Sources{history.Namespace: r.ownNamespaces()})
	if err != nil {
		return exit.Environmentf("cannot see whether the run's namespaces are gone: %w", err)
	}
	defer namespaces.Stop()
	left := func(state *history.State) []*corev1.Namespace {
		return history.Objects[*corev1.Namespace](state, history.Namespace)
	}
	for _, namespace := range left(namespaces.Latest()) {
		if namespace.DeletionTimestamp == nil {
			_ = r.connection.Client.CoreV1().Namespaces().Delete(ctx, namespace.Name, metav1.DeleteOptions{})
		}
	}
	if n := len(left(namespaces.Latest())); n > 0 {
		fmt.Fprintf(r.out, "removing what the run created: %d namespaces\n", n)
	}
	err = namespaces.Await(ctx, func(state *history.State) bool { return len(left(state)) == 0 })
	if err != nil {
		return exit.Environmentf("these namespaces of the run are still there: %s; 'rollcall cleanup' tries again", names(left(namespaces.Latest())))
	}
	return nil
}

func (r *running) ownNamespaces() cache.ListerWatcherWithContext {
	selector := labels.SelectorFromSet(labels.Set{cluster.RunLabel: r.report.Run.ID}).String()
	return cache.NewFilteredListWatchFromClient(r.connection.Client.CoreV1().RESTClient(), "namespaces", metav1.NamespaceAll,
		func(options *metav1.ListOptions) { options.LabelSelector = selector })
}

// names tells each namespace with the reason that Kubernetes gives for it.
func names(namespaces []*corev1.Namespace) string {
	var texts []string
	for _, namespace := range namespaces {
		text := namespace.Name
		for _, condition := range namespace.Status.Conditions {
			if condition.Status == corev1.ConditionTrue {
				text += " (" + condition.Message + ")"
			}
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, ", ")
}
