package node

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	utilrand "k8s.io/apimachinery/pkg/util/rand"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/utils/ptr"
)

const (
	// loanDuration is how long a loan outlives a holder that died.
	loanDuration = 30 * time.Second
	// loanRenewal leaves room for two renewals that fail.
	loanRenewal = 10 * time.Second
)

// Loan is a lent node in the hands of one spec: a Lease of its own in rollcall's
// namespace, renewed until Return, so that the processes of a run share nodes.
type Loan struct {
	Hand
	Node *corev1.Node

	holder string
	lost   chan error
	stop   context.CancelFunc
	done   chan struct{}
}

// RefusedError says of each lent node why it was not used.
type RefusedError struct{ Reasons map[string]string }

func (e *RefusedError) Error() string {
	if len(e.Reasons) == 0 {
		return "no node is lent"
	}
	var texts []string
	for _, name := range slices.Sorted(maps.Keys(e.Reasons)) {
		texts = append(texts, "node "+name+": "+e.Reasons[name])
	}
	return "no lent node may be used: " + strings.Join(texts, "; ")
}

// Borrow takes one of the lent nodes, given by name and UID, and waits by a
// watch while all of them are in other hands. A node that must not be disturbed
// as it is gets refused; if that is all of them, the error is a RefusedError.
func (h Hand) Borrow(ctx context.Context, lent map[string]types.UID, evictOthers bool) (*Loan, error) {
	loan := &Loan{Hand: h, holder: h.Run + "-" + utilrand.String(8), lost: make(chan error, 1), done: make(chan struct{})}
	seen := map[string]sighting{}
	for {
		changed, err := h.watchLoans(ctx)
		if err != nil {
			return nil, err
		}
		lease, err := loan.try(ctx, lent, evictOthers, seen)
		if err != nil || lease != nil {
			changed.Stop()
			return loan.begin(ctx, lease, err)
		}
		select {
		case <-changed.ResultChan():
		case <-time.After(loanDuration / 6): // a holder that died changes nothing
		case <-ctx.Done():
			err = fmt.Errorf("no lent node got free: %w", context.Cause(ctx))
		}
		changed.Stop()
		if err != nil {
			return nil, err
		}
	}
}

// sighting is when a Lease was first seen as it is: by this process's clock, so
// that no other machine's clock decides about its end.
type sighting struct {
	version string
	at      time.Time
}

// try goes through the lent nodes once. It returns the Lease of the first that
// is free and fit, nil if all fit ones are in other hands.
func (l *Loan) try(ctx context.Context, lent map[string]types.UID, evictOthers bool, seen map[string]sighting) (*coordinationv1.Lease, error) {
	refused, busy := map[string]string{}, false
	for _, name := range slices.Sorted(maps.Keys(lent)) {
		lease, err := l.take(ctx, name, seen)
		if err != nil {
			return nil, err
		}
		if lease == nil {
			busy = true
			continue
		}
		why, err := l.inspect(ctx, name, lent[name], evictOthers)
		if err == nil && why == "" {
			return lease, nil
		}
		if err := errors.Join(err, l.drop(ctx, lease)); err != nil {
			return nil, err
		}
		refused[name] = why
	}
	if !busy {
		return nil, &RefusedError{refused}
	}
	return nil, nil
}

// inspect reads the node while its Lease is held, and returns why it must not be
// disturbed.
func (l *Loan) inspect(ctx context.Context, name string, uid types.UID, evictOthers bool) (string, error) {
	node, err := l.Client.CoreV1().Nodes().Get(ctx, name, metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
		return "it is gone", nil
	case err != nil:
		return "", err
	case node.UID != uid:
		return "it is another machine by now", nil
	}
	l.Node = node
	return Refusal(ctx, l.Client, node, evictOthers)
}

// take creates the node's Lease or takes over one whose holder died; nil means
// that it is in other hands.
func (l *Loan) take(ctx context.Context, node string, seen map[string]sighting) (*coordinationv1.Lease, error) {
	leases := l.Client.CoordinationV1().Leases(l.Namespace)
	lease, err := leases.Create(ctx, l.lease(node), metav1.CreateOptions{})
	if err == nil || !apierrors.IsAlreadyExists(err) {
		return lease, err
	}
	old, err := leases.Get(ctx, leaseName(node), metav1.GetOptions{})
	if err != nil {
		return nil, ignore(err, apierrors.IsNotFound)
	}
	if last, known := seen[node]; !known || last.version != old.ResourceVersion {
		seen[node] = sighting{old.ResourceVersion, time.Now()}
	}
	if time.Since(seen[node].at) < loanDuration {
		return nil, nil
	}
	wanted := l.lease(node)
	wanted.ResourceVersion = old.ResourceVersion
	lease, err = leases.Update(ctx, wanted, metav1.UpdateOptions{})
	if err != nil {
		return nil, ignore(ignore(err, apierrors.IsConflict), apierrors.IsNotFound)
	}
	return lease, nil
}

func (l *Loan) lease(node string) *coordinationv1.Lease {
	now := metav1.NowMicro()
	return &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{Name: leaseName(node), Labels: l.labels(loanLabel)},
		Spec: coordinationv1.LeaseSpec{
			HolderIdentity: &l.holder, LeaseDurationSeconds: ptr.To(int32(loanDuration.Seconds())),
			AcquireTime: &now, RenewTime: &now,
		},
	}
}

// leaseName is the name of a node's Lease. A node's name may be as long as any
// other name may be.
func leaseName(node string) string {
	const prefix, longest = "lent-", 253
	return prefix + node[max(0, len(node)+len(prefix)-longest):]
}

// begin keeps a Lease that was taken.
func (l *Loan) begin(ctx context.Context, lease *coordinationv1.Lease, err error) (*Loan, error) {
	if err != nil {
		return nil, err
	}
	keeping, stop := context.WithCancel(context.WithoutCancel(ctx))
	l.stop = stop
	go l.keep(keeping, lease)
	return l, nil
}

// Lost delivers at most one error: why the node is no longer in these hands.
func (l *Loan) Lost() <-chan error { return l.lost }

func (l *Loan) keep(ctx context.Context, lease *coordinationv1.Lease) {
	defer close(l.done)
	ticker := time.NewTicker(loanRenewal)
	defer ticker.Stop()
	renewed := time.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		lease.Spec.RenewTime = ptr.To(metav1.NowMicro())
		kept, err := l.Client.CoordinationV1().Leases(l.Namespace).Update(ctx, lease, metav1.UpdateOptions{})
		switch {
		case err == nil:
			lease, renewed = kept, time.Now()
		case ctx.Err() != nil:
			return
		case apierrors.IsConflict(err) || apierrors.IsNotFound(err) || time.Since(renewed) > loanDuration:
			l.lost <- fmt.Errorf("the loan of node %s is lost: %w", l.Node.Name, err)
			return
		}
	}
}

// Return gives the node back. It does so even when ctx has ended.
func (l *Loan) Return(ctx context.Context) error {
	l.stop()
	<-l.done
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), loanDuration)
	defer cancel()
	lease, err := l.Client.CoordinationV1().Leases(l.Namespace).Get(ctx, leaseName(l.Node.Name), metav1.GetOptions{})
	if err != nil {
		return ignore(err, apierrors.IsNotFound)
	}
	if ptr.Deref(lease.Spec.HolderIdentity, "") != l.holder {
		return nil
	}
	return l.drop(ctx, lease)
}

func (l *Loan) drop(ctx context.Context, lease *coordinationv1.Lease) error {
	return dropLease(ctx, l.Client, lease)
}

func dropLease(ctx context.Context, client kubernetes.Interface, lease *coordinationv1.Lease) error {
	err := client.CoordinationV1().Leases(lease.Namespace).Delete(ctx, lease.Name, metav1.DeleteOptions{
		Preconditions: &metav1.Preconditions{ResourceVersion: &lease.ResourceVersion},
	})
	return ignore(err, apierrors.IsNotFound)
}

// dropLoans removes the Leases that a run left.
func dropLoans(ctx context.Context, client kubernetes.Interface, namespace, run string, live sets.Set[string]) error {
	left, err := client.CoordinationV1().Leases(namespace).List(ctx, metav1.ListOptions{LabelSelector: loanLabel})
	if err != nil {
		return err
	}
	var faults []error
	for _, lease := range left.Items {
		holder := lease.Labels[loanLabel]
		if (run == "" || holder == run) && !live.Has(holder) {
			faults = append(faults, dropLease(ctx, client, &lease))
		}
	}
	return errors.Join(faults...)
}

func ignore(err error, harmless func(error) bool) error {
	if harmless(err) {
		return nil
	}
	return err
}

// watchLoans tells of every loan that is taken, renewed or given back.
func (h Hand) watchLoans(ctx context.Context) (watch.Interface, error) {
	return h.Client.CoordinationV1().Leases(h.Namespace).Watch(ctx, metav1.ListOptions{LabelSelector: loanLabel})
}
