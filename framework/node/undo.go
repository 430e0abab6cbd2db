package node

import (
	"context"
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/kubernetes"
	"k8s.io/utils/ptr"

	"rollcall.dev/rollcall/framework/cluster"
	"rollcall.dev/rollcall/framework/judge"
)

// Undo plays a run's journal backwards and drops its loans; an empty run means
// every run. It returns a line for each record that it settled. What it could
// not undo stays in the journal and is an error.
func Undo(ctx context.Context, client kubernetes.Interface, namespace, run string) ([]string, error) {
	return undo(ctx, client, namespace, run, sets.New[string]())
}

// UndoDead is Undo for every run that is no longer under way, in every namespace
// that the caller may look into and otherwise in rollcall's own.
func UndoDead(ctx context.Context, connection *cluster.Connection, namespace string) ([]string, error) {
	live, err := connection.LiveRuns(ctx, namespace)
	if err != nil {
		return nil, err
	}
	told, err := undo(ctx, connection.Client, metav1.NamespaceAll, "", live)
	if apierrors.IsForbidden(err) {
		return undo(ctx, connection.Client, namespace, "", live)
	}
	return told, err
}

// Stale returns a line for each record of a run that is no longer under way, in
// rollcall's own namespace.
func Stale(ctx context.Context, connection *cluster.Connection, namespace string) ([]string, error) {
	live, err := connection.LiveRuns(ctx, namespace)
	if err != nil {
		return nil, err
	}
	records, err := Records(ctx, connection.Client, namespace, "")
	var lines []string
	for _, record := range records {
		if !live.Has(record.Run) {
			lines = append(lines, fmt.Sprintf("run %s changed %s", record.Run, record))
		}
	}
	return lines, err
}

func undo(ctx context.Context, client kubernetes.Interface, namespace, run string, live sets.Set[string]) ([]string, error) {
	records, err := Records(ctx, client, namespace, run)
	if err != nil && len(records) == 0 {
		return nil, err
	}
	faults := []error{err}
	var told []string
	stuck := sets.New[string]() // nodes whose older records must wait
	for _, record := range records {
		if live.Has(record.Run) || stuck.Has(record.Node) {
			continue
		}
		outcome, err := record.Undo(ctx, client)
		if err != nil {
			faults = append(faults, err)
			stuck.Insert(record.Node)
			continue
		}
		told = append(told, outcome.Text)
	}
	return told, errors.Join(append(faults, dropLoans(ctx, client, namespace, run, live))...)
}

// Outcome is what an undo did.
type Outcome struct {
	// Text is one line about it.
	Text string
	// Left says that a value was left alone, since somebody else had set it.
	Left bool
}

// Undo restores what was there before the record's change and removes the
// record. It touches nothing that somebody else has changed since. A record that
// is undone already is no error.
func (r Record) Undo(ctx context.Context, client kubernetes.Interface) (Outcome, error) {
	outcome, err := r.restore(ctx, client)
	if apierrors.IsNotFound(err) {
		outcome = Outcome{Text: fmt.Sprintf("node %s is gone or another machine by now: nothing to undo of its %s", r.Node, r.Change)}
		err = nil
	}
	if err != nil {
		return outcome, fmt.Errorf("cannot undo %s: %w", r, err)
	}
	return outcome, strike(ctx, client, r)
}

func (r Record) restore(ctx context.Context, client kubernetes.Interface) (outcome Outcome, err error) {
	switch r.Change.Kind {
	case OfObject:
		return Outcome{Text: fmt.Sprintf("removed %s and its Pods", r)}, dissolve(ctx, client, r)
	case OfKubelet:
		return awaitKubelet(ctx, client, r)
	case OfIdentity:
		return restoreIdentity(ctx, client, r)
	}
	back := Change{r.Change.Kind, r.Change.Key, r.Before}
	err = apply(ctx, client, r, func(node *corev1.Node) (Change, bool) {
		now := r.Change.valueOn(node)
		switch {
		case ptr.Equal(now, r.Before):
			outcome = Outcome{Text: fmt.Sprintf("%s of node %s is what it was: %s", r.Change, r.Node, show(r.Before))}
		case ptr.Equal(now, r.Change.Value):
			outcome = Outcome{Text: fmt.Sprintf("set %s of node %s back to %s", r.Change, r.Node, show(r.Before))}
			return back, true
		default:
			outcome = Outcome{Left: true, Text: fmt.Sprintf("left %s of node %s at %s: somebody else has changed it since it was set to %s",
				r.Change, r.Node, show(now), show(r.Change.Value))}
		}
		return back, false
	})
	if err == nil && r.Change.Kind == OfCordon && !outcome.Left {
		awaitUncordoned(ctx, client, r.Node)
	}
	return outcome, err
}

// followUp bounds the wait for the taint that follows a cordon: the control
// plane reacts to a watch, seen in 2 s.
const followUp = 10 * time.Second

// awaitUncordoned waits until the control plane has taken its taint off a node
// that takes Pods again. If it does not, a fingerprint tells.
func awaitUncordoned(ctx context.Context, client kubernetes.Interface, name string) {
	ctx, cancel := context.WithTimeout(ctx, followUp)
	defer cancel()
	_ = awaitNode(ctx, client, name, func(node *corev1.Node) bool {
		return node.Spec.Unschedulable || !judge.HasTaint(node, corev1.TaintNodeUnschedulable)
	})
}
