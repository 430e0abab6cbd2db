package node

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/ptr"
)

// pulse renews the Lease of a simulated node.
type pulse struct {
	client kubernetes.Interface
	lease  *coordinationv1.Lease
	ended  sync.WaitGroup
}

func (p *pulse) begin(ctx context.Context) {
	p.ended.Go(func() {
		ticker := time.NewTicker(heartbeat)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				p.renew(ctx)
			case <-ctx.Done():
				return
			}
		}
	})
}

// renew writes the time into the Lease. One that fails is made good by the next.
func (p *pulse) renew(ctx context.Context) {
	leases := p.client.CoordinationV1().Leases(p.lease.Namespace)
	wanted := p.lease.DeepCopy()
	wanted.Spec.RenewTime = ptr.To(metav1.NowMicro())
	renewed, err := leases.Update(ctx, wanted, metav1.UpdateOptions{})
	if apierrors.IsConflict(err) {
		renewed, err = leases.Get(ctx, wanted.Name, metav1.GetOptions{})
	}
	if err == nil {
		p.lease = renewed
	}
}

// kubelet does for the Pods of a simulated node what a real one does as far as
// the API shows it: they run at once, and end as soon as they are told to.
type kubelet struct {
	client kubernetes.Interface
	node   string
}

// again is how often a Pod is looked at again, should a call have failed.
const again = 5 * time.Second

func (k kubelet) begin(ctx context.Context) {
	tend := func(object any) {
		if pod, ok := object.(*corev1.Pod); ok {
			k.tend(ctx, pod)
		}
	}
	_, controller := cache.NewInformerWithOptions(cache.InformerOptions{
		ListerWatcher: k.pods(), ObjectType: &corev1.Pod{}, ResyncPeriod: again,
		Handler: cache.ResourceEventHandlerFuncs{AddFunc: tend, UpdateFunc: func(_, object any) { tend(object) }},
	})
	go controller.RunWithContext(ctx)
}

func (k kubelet) pods() cache.ListerWatcher {
	pods := k.client.CoreV1().Pods(metav1.NamespaceAll)
	return cache.ToListWatcherWithWatchListSemantics(&cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
			options.FieldSelector = onNode(k.node)
			return pods.List(ctx, options)
		},
		WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
			options.FieldSelector = onNode(k.node)
			return pods.Watch(ctx, options)
		},
	}, k.client)
}

// tend brings a Pod a step further. An error shows in the Pod, and the next look
// tries again.
func (k kubelet) tend(ctx context.Context, pod *corev1.Pod) {
	switch {
	case pod.Spec.NodeName != k.node:
	case pod.DeletionTimestamp != nil:
		_ = confirmEnd(ctx, k.client, pod)
	case pod.Status.Phase == corev1.PodPending:
		_ = k.run(ctx, pod)
	}
}

// run reports a Pod as Running and Ready.
func (k kubelet) run(ctx context.Context, pod *corev1.Pod) error {
	now := metav1.Now()
	status := corev1.PodStatus{Phase: corev1.PodRunning, StartTime: &now}
	for _, kind := range []corev1.PodConditionType{corev1.PodInitialized, corev1.ContainersReady, corev1.PodReady} {
		status.Conditions = append(status.Conditions, corev1.PodCondition{Type: kind, Status: corev1.ConditionTrue, LastTransitionTime: now})
	}
	for _, container := range pod.Spec.Containers {
		status.ContainerStatuses = append(status.ContainerStatuses, corev1.ContainerStatus{
			Name: container.Name, Image: container.Image, Ready: true, Started: ptr.To(true),
			State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: now}},
		})
	}
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"uid": pod.UID}, "status": status})
	if err != nil {
		return err
	}
	_, err = k.client.CoreV1().Pods(pod.Namespace).Patch(ctx, pod.Name, types.StrategicMergePatchType, patch, metav1.PatchOptions{}, "status")
	return err
}
