package mutants

import (
	"context"
	"fmt"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"

	"rollcall.dev/rollcall/framework/await"
)

// serves waits until an API server that was started anew serves, and until those
// that lead by a lease lead again: they may have lost it, and then they start
// anew themselves.
func serves(ctx context.Context, client kubernetes.Interface) error {
	if err := awaitReady(ctx, client); err != nil {
		return err
	}
	began := time.Now()
	for _, component := range []Component{ControllerManager, Scheduler} {
		leases := client.CoordinationV1().Leases("kube-system")
		err := await.Until(ctx, client, leases, await.Named(string(component)),
			func(event watch.EventType, lease *coordinationv1.Lease) (bool, error) {
				renewed := lease.Spec.RenewTime
				return event != watch.Deleted && renewed != nil && renewed.Time.After(began), nil
			})
		if err != nil {
			return fmt.Errorf("%s does not lead: %w", component, err)
		}
	}
	return nil
}

// awaitReady asks until the API server says that it is ready. There is nothing to
// watch while it does not serve.
func awaitReady(ctx context.Context, client kubernetes.Interface) error {
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	for {
		err := client.Discovery().RESTClient().Get().AbsPath("/readyz").Do(ctx).Error()
		if err == nil {
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("%w: the API server is not ready: %v", context.Cause(ctx), err)
		}
	}
}
