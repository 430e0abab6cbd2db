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

	"rollcall.dev/rollcall/framework/judge"
)

// life is what goes on in this process for a simulated node: its heartbeat and
// its kubelet.
type life struct {
	ctx   context.Context
	stop  context.CancelFunc
	ended sync.WaitGroup
}

// newLife begins a heartbeat that outlives ctx.
func newLife(ctx context.Context, beat func(context.Context)) *life {
	l := &life{}
	l.ctx, l.stop = context.WithCancel(context.WithoutCancel(ctx))
	l.ended.Go(func() {
		ticker := time.NewTicker(heartbeat)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				beat(l.ctx)
			case <-l.ctx.Done():
				return
			}
		}
	})
	return l
}

func (l *life) end() {
	l.stop()
	l.ended.Wait()
}

// renewal returns a heartbeat that writes the time into a node's Lease. One that
// fails is made good by the next.
func renewal(client kubernetes.Interface, lease *coordinationv1.Lease) func(context.Context) {
	leases := client.CoordinationV1().Leases(lease.Namespace)
	return func(ctx context.Context) {
		wanted := lease.DeepCopy()
		wanted.Spec.RenewTime = ptr.To(metav1.NowMicro())
		renewed, err := leases.Update(ctx, wanted, metav1.UpdateOptions{})
		if apierrors.IsConflict(err) {
			renewed, err = leases.Get(ctx, wanted.Name, metav1.GetOptions{})
		}
		if err == nil {
			lease = renewed
		}
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
	with := func(act func(context.Context, *corev1.Pod)) func(any) {
		return func(object any) {
			if pod, ok := object.(*corev1.Pod); ok {
				act(ctx, pod)
			}
		}
	}
	tend := with(k.tend)
	_, controller := cache.NewInformerWithOptions(cache.InformerOptions{
		ListerWatcher: k.pods(), ObjectType: &corev1.Pod{}, ResyncPeriod: again,
		Handler: cache.ResourceEventHandlerFuncs{AddFunc: with(k.find), UpdateFunc: func(_, object any) { tend(object) }},
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

// find is what a kubelet does with a Pod that it did not know of: one that runs
// already is reported anew, since somebody may have called it not Ready while the
// node was silent.
func (k kubelet) find(ctx context.Context, pod *corev1.Pod) {
	if pod.Spec.NodeName == k.node && pod.DeletionTimestamp == nil && pod.Status.Phase == corev1.PodRunning {
		_ = k.report(ctx, pod, corev1.PodStatus{Conditions: runningConditions(metav1.Now())})
		return
	}
	k.tend(ctx, pod)
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
	case pod.Status.Phase == corev1.PodRunning && !judge.Ready(pod):
		k.insist(ctx, pod)
	}
}

// insist says again that a Pod is Ready, unless the node is not. The node
// controller calls Pods not Ready by what it last knew of their node, which may be
// some seconds old.
func (k kubelet) insist(ctx context.Context, pod *corev1.Pod) {
	node, err := k.client.CoreV1().Nodes().Get(ctx, k.node, metav1.GetOptions{})
	if err == nil && judge.NodeReady(node) {
		_ = k.report(ctx, pod, corev1.PodStatus{Conditions: runningConditions(metav1.Now())})
	}
}

// run reports a Pod as Running and Ready.
func (k kubelet) run(ctx context.Context, pod *corev1.Pod) error {
	now := metav1.Now()
	status := corev1.PodStatus{Phase: corev1.PodRunning, StartTime: &now, Conditions: runningConditions(now)}
	for _, container := range pod.Spec.Containers {
		status.ContainerStatuses = append(status.ContainerStatuses, corev1.ContainerStatus{
			Name: container.Name, Image: container.Image, Ready: true, Started: ptr.To(true),
			State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: now}},
		})
	}
	return k.report(ctx, pod, status)
}

func runningConditions(now metav1.Time) []corev1.PodCondition {
	var conditions []corev1.PodCondition
	for _, kind := range []corev1.PodConditionType{corev1.PodInitialized, corev1.ContainersReady, corev1.PodReady} {
		conditions = append(conditions, corev1.PodCondition{Type: kind, Status: corev1.ConditionTrue, LastTransitionTime: now})
	}
	return conditions
}

// report writes what is set of a Pod's status.
func (k kubelet) report(ctx context.Context, pod *corev1.Pod, status corev1.PodStatus) error {
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"uid": pod.UID}, "status": status})
	if err != nil {
		return err
	}
	_, err = k.client.CoreV1().Pods(pod.Namespace).Patch(ctx, pod.Name, types.StrategicMergePatchType, patch, metav1.PatchOptions{}, "status")
	return err
}
