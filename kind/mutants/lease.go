package mutants

import (
	"context"

	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"

	"rollcall.dev/rollcall/framework/await"
)

// holder is who holds a lease of the control plane; "" if nobody does.
func holder(ctx context.Context, client kubernetes.Interface, name string) (string, error) {
	lease, err := client.CoordinationV1().Leases(metav1.NamespaceSystem).Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return holderOf(lease), nil
}

// handOver waits until another than the holder before holds a lease. That one
// is gone and took no leave, so its lease is deleted: the next one would wait
// out its 15 seconds.
func handOver(ctx context.Context, client kubernetes.Interface, name, before string) error {
	leases := client.CoordinationV1().Leases(metav1.NamespaceSystem)
	switch lease, err := leases.Get(ctx, name, metav1.GetOptions{}); {
	case apierrors.IsNotFound(err):
	case err != nil:
		return err
	case before != "" && holderOf(lease) == before:
		// If the new one takes it at this instant, it is no longer the same.
		same := metav1.Preconditions{UID: &lease.UID, ResourceVersion: &lease.ResourceVersion}
		err := leases.Delete(ctx, name, metav1.DeleteOptions{Preconditions: &same})
		if err != nil && !apierrors.IsNotFound(err) && !apierrors.IsConflict(err) {
			return err
		}
	}
	return await.Until(ctx, client, leases, await.Which{Fields: "metadata.name=" + name},
		func(event watch.EventType, lease *coordinationv1.Lease) (bool, error) {
			now := holderOf(lease)
			return event != watch.Deleted && now != "" && now != before, nil
		})
}

func holderOf(lease *coordinationv1.Lease) string {
	if lease.Spec.HolderIdentity == nil {
		return ""
	}
	return *lease.Spec.HolderIdentity
}
