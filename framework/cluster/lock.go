package cluster

import (
	"context"
	"errors"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"rollcall.dev/rollcall/framework/await"
	"rollcall.dev/rollcall/framework/exit"
	"rollcall.dev/rollcall/framework/limit"
)

// lockRun labels the namespace of the lock, which no single run made.
const lockRun = "lock"

const (
	// lockName is the Lease's.
	lockName = "rollcall"
	// lockDuration is how long a lock outlives a holder that died.
	lockDuration = 60 * time.Second
	// lockRenewal leaves room for two renewals that fail.
	lockRenewal = 20 * time.Second
	// madeByLock marks a namespace that a lock made; whoever holds the lock last
	// removes it.
	madeByLock = "rollcall.dev/made-by-lock"
)

// Lock is the right to be the one run in a cluster: a Lease in rollcall's own
// namespace, renewed until Release. Its times are the API server's, so that two
// machines whose clocks differ agree about it.
type Lock struct {
	*Connection
	namespace, holder string
	// made says that the namespace goes with the lock.
	made bool
	lost chan error
	stop context.CancelFunc
	done chan struct{}
}

// Acquire takes the lock for a run, and makes the namespace where it is missing.
// An expired lock is taken over; one that another run holds is an
// exit.EnvironmentError that names it.
func (c *Connection) Acquire(ctx context.Context, namespace, runID string) (*Lock, error) {
	lock := &Lock{Connection: c, namespace: namespace, holder: runID, lost: make(chan error, 1), done: make(chan struct{})}
	if err := lock.ensureNamespace(ctx); err != nil {
		return nil, err
	}
	lease, err := lock.take(ctx)
	if err != nil {
		return nil, err
	}
	renewing, stop := context.WithCancel(context.WithoutCancel(ctx))
	lock.stop = stop
	go lock.keep(renewing, lease)
	return lock, nil
}

// Lost delivers at most one error: why the lock is no longer this run's.
func (l *Lock) Lost() <-chan error { return l.lost }

// ensureNamespace makes the namespace unless it is there. One that is on its way
// out is waited for.
func (l *Lock) ensureNamespace(ctx context.Context) error {
	namespaces := l.Client.CoreV1().Namespaces()
	found, err := namespaces.Get(ctx, l.namespace, metav1.GetOptions{})
	if err == nil && found.DeletionTimestamp != nil {
		if err := l.awaitNoNamespace(ctx); err != nil {
			return environment(err, "the namespace %s is being deleted and stays", l.namespace)
		}
	} else if err == nil {
		l.made = found.Annotations[madeByLock] != ""
		return nil
	} else if !apierrors.IsNotFound(err) {
		return environment(err, "looking for the namespace %s", l.namespace)
	}
	_, err = namespaces.Create(ctx, l.ownNamespace(), metav1.CreateOptions{})
	l.made = err == nil
	if err != nil && !apierrors.IsAlreadyExists(err) {
		return environment(err, "%s", refused(err, "the namespace "+l.namespace))
	}
	return nil
}

func (l *Lock) ownNamespace() *corev1.Namespace {
	// Not the run's own ID: what carries that is removed before the lock is.
	labels := Labels(lockRun)
	labels[enforceLabel] = restricted
	return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{
		Name: l.namespace, Labels: labels, Annotations: map[string]string{madeByLock: "true"},
	}}
}

func (l *Lock) awaitNoNamespace(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, limit.Namespace.For)
	defer cancel()
	return await.Gone[corev1.Namespace](ctx, l.Client, l.Client.CoreV1().Namespaces(),
		await.Named(l.namespace))
}

// take creates the Lease or takes an expired one over.
func (l *Lock) take(ctx context.Context) (*coordinationv1.Lease, error) {
	leases := l.Client.CoordinationV1().Leases(l.namespace)
	lease, err := leases.Get(ctx, lockName, metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
		lease, err = leases.Create(ctx, l.fresh(), metav1.CreateOptions{})
	case err == nil:
		if holder, live := liveHolder(lease, l.now()); live && holder != l.holder {
			return nil, l.taken(lease)
		}
		wanted := l.fresh()
		wanted.ResourceVersion = lease.ResourceVersion
		wanted.Spec.LeaseTransitions = ptr.To(ptr.Deref(lease.Spec.LeaseTransitions, 0) + 1)
		lease, err = leases.Update(ctx, wanted, metav1.UpdateOptions{})
	}
	if apierrors.IsConflict(err) || apierrors.IsAlreadyExists(err) {
		return nil, exit.Environmentf("another run took the lock %s/%s just now; try again when it has ended", l.namespace, lockName)
	}
	if err != nil {
		return nil, environment(err, "taking the lock %s/%s", l.namespace, lockName)
	}
	return lease, nil
}

func (l *Lock) fresh() *coordinationv1.Lease {
	now := metav1.NewMicroTime(l.now())
	return &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{Name: lockName, Labels: Labels(l.holder)},
		Spec: coordinationv1.LeaseSpec{
			HolderIdentity:       &l.holder,
			LeaseDurationSeconds: ptr.To(int32(lockDuration.Seconds())),
			AcquireTime:          &now,
			RenewTime:            &now,
		},
	}
}

func (l *Lock) taken(lease *coordinationv1.Lease) error {
	since := ptr.Deref(lease.Spec.AcquireTime, metav1.MicroTime{}).Time
	return exit.Environmentf("run %s is under way in this cluster since %s (lock %s/%s); there can be one at a time",
		*lease.Spec.HolderIdentity, l.now().Sub(since).Round(time.Second), l.namespace, lockName)
}

// refuseSecond fails if another run holds the lock, without taking it.
func (c *Connection) refuseSecond(ctx context.Context, namespace, runID string) error {
	lease, err := c.Client.CoordinationV1().Leases(namespace).Get(ctx, lockName, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return environment(err, "looking for a run under way")
	}
	if holder, live := liveHolder(lease, c.now()); live && holder != runID {
		return (&Lock{Connection: c, namespace: namespace}).taken(lease)
	}
	return nil
}

// liveHolder returns who holds a Lease and whether it still counts.
func liveHolder(lease *coordinationv1.Lease, now time.Time) (string, bool) {
	holder := ptr.Deref(lease.Spec.HolderIdentity, "")
	if holder == "" || lease.Spec.RenewTime == nil {
		return holder, false
	}
	duration := time.Duration(ptr.Deref(lease.Spec.LeaseDurationSeconds, 0)) * time.Second
	return holder, now.Before(lease.Spec.RenewTime.Add(duration))
}

// keep renews the lock until it is released or lost.
func (l *Lock) keep(ctx context.Context, lease *coordinationv1.Lease) {
	defer close(l.done)
	ticker := time.NewTicker(lockRenewal)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		renewed, err := l.renew(ctx, lease)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			l.lost <- err
			return
		}
		lease = renewed
	}
}

// renew returns the lease as it is now. A renewal that fails is forgiven while
// the last good one counts.
func (l *Lock) renew(ctx context.Context, lease *coordinationv1.Lease) (*coordinationv1.Lease, error) {
	wanted := lease.DeepCopy()
	wanted.Spec.RenewTime = ptr.To(metav1.NewMicroTime(l.now()))
	renewed, err := l.Client.CoordinationV1().Leases(l.namespace).Update(ctx, wanted, metav1.UpdateOptions{})
	if err == nil {
		return renewed, nil
	}
	_, live := liveHolder(lease, l.now())
	if apierrors.IsConflict(err) || apierrors.IsNotFound(err) || !live {
		return nil, environment(err, "the lock %s/%s is lost", l.namespace, lockName)
	}
	return lease, nil
}

// Release gives the lock up, and removes the namespace if it was made for it.
// It does so even when ctx has ended.
func (l *Lock) Release(ctx context.Context) error {
	l.stop()
	<-l.done
	// The namespace goes as any other does, so it gets as long.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit.Teardown.For)
	defer cancel()
	if err := l.dropLease(ctx); err != nil {
		return environment(err, "giving up the lock %s/%s", l.namespace, lockName)
	}
	if !l.made {
		return nil
	}
	kept, err := l.Client.CoreV1().ConfigMaps(l.namespace).List(ctx, metav1.ListOptions{LabelSelector: ManagedByLabel + "=" + ManagedBy})
	if err != nil || len(kept.Items) > 0 {
		// A report that the user asked for needs the namespace, and so does the
		// journal of a change to a node that could not be undone.
		return err
	}
	err = l.Client.CoreV1().Namespaces().Delete(ctx, l.namespace, metav1.DeleteOptions{})
	if err == nil {
		err = l.awaitNoNamespace(ctx)
	}
	if err != nil && !apierrors.IsNotFound(err) {
		return environment(err, "removing the namespace %s", l.namespace)
	}
	return nil
}

// dropLease deletes the Lease if it is still this run's.
func (l *Lock) dropLease(ctx context.Context) error {
	leases := l.Client.CoordinationV1().Leases(l.namespace)
	lease, err := leases.Get(ctx, lockName, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if ptr.Deref(lease.Spec.HolderIdentity, "") != l.holder {
		l.made = false
		return errors.New("another run holds it")
	}
	err = leases.Delete(ctx, lockName, metav1.DeleteOptions{
		Preconditions: &metav1.Preconditions{ResourceVersion: &lease.ResourceVersion},
	})
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}
