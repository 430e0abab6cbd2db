package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	utilrand "k8s.io/apimachinery/pkg/util/rand"
	"k8s.io/client-go/kubernetes"
	"k8s.io/utils/ptr"

	"rollcall.dev/rollcall/framework/cluster"
)

// The node Lease is renewed as a kubelet does it: every 10 s of 40 s.
// https://kubernetes.io/docs/concepts/architecture/leases/#node-heart-beats
const (
	heartbeat     = 8 * time.Second
	leaseDuration = 40 * time.Second
)

// excludeDisruption is the label of a node that is left out when the control
// plane judges by the share of Ready nodes whether a zone is disrupted.
const excludeDisruption = "node.kubernetes.io/exclude-disruption"

// Simulated is a Node object of rollcall's own, with a heartbeat and a tiny
// kubelet in this process and no machine behind it.
type Simulated struct {
	Hand
	// Node is the object as it was created.
	Node *corev1.Node
	// Fence is the taint that keeps other people's Pods away.
	Fence corev1.Taint

	// Joining says that it has not been Ready yet.
	Joining bool

	wanted *corev1.Node
	record Record
	life   *life
}

// SimulatedOption changes a simulated node before it is created.
type SimulatedOption func(*Simulated)

// Labelled adds labels to a simulated node. The label kubernetes.io/os makes the
// cluster's own DaemonSets come to it; without one they stay away.
func Labelled(labels map[string]string) SimulatedOption {
	return func(s *Simulated) { maps.Copy(s.wanted.Labels, labels) }
}

// Tainted adds taints to a simulated node.
func Tainted(taints ...corev1.Taint) SimulatedOption {
	return func(s *Simulated) { s.wanted.Spec.Taints = append(s.wanted.Spec.Taints, taints...) }
}

// InRegion puts a simulated node into a region of its own. The control plane
// spaces out in time what it does to the nodes of a region that are not Ready, so
// that nodes of one region wait for each other. The old label is for that code
// only: topology spread constraints, which go by the new one, see no new region.
func InRegion(name string) SimulatedOption {
	return Labelled(map[string]string{corev1.LabelFailureDomainBetaRegion: name})
}

// Joining leaves a simulated node as a machine is while it joins: it lives and is
// not Ready yet.
func Joining(s *Simulated) { s.Joining = true }

// FenceOf is the taint on every simulated node of a run.
func FenceOf(run string) corev1.Taint {
	return corev1.Taint{Key: cluster.SimulatedLabel, Value: run, Effect: corev1.TaintEffectNoSchedule}
}

// Simulate makes a simulated node and keeps it alive until Dissolve; its kubelet
// makes Pods on it Running and Ready and confirms their deletion. The node gets
// Ready after it was created, as a real one does.
func (h Hand) Simulate(ctx context.Context, options ...SimulatedOption) (*Simulated, error) {
	s := &Simulated{Hand: h, Fence: FenceOf(h.Run)}
	s.wanted = s.object("rollcall-sim-" + utilrand.String(6))
	for _, option := range options {
		option(s)
	}
	var err error
	if s.record, err = h.write(ctx, Record{Node: s.wanted.Name, Change: Change{Kind: OfObject, Value: &s.wanted.Name}}); err != nil {
		return nil, err
	}
	if err = s.join(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("a simulated node cannot be made: %w", err), s.Dissolve(ctx))
	}
	return s, nil
}

// join creates the Node object and begins to live.
func (s *Simulated) join(ctx context.Context) error {
	var err error
	if s.Node, err = s.Client.CoreV1().Nodes().Create(ctx, s.wanted.DeepCopy(), metav1.CreateOptions{}); err != nil {
		return err
	}
	if s.life, err = s.begin(ctx); err != nil || s.Joining {
		return err
	}
	return s.PostReady(ctx, corev1.ConditionTrue)
}

func (s *Simulated) object(name string) *corev1.Node {
	capacity := corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("4"), corev1.ResourceMemory: resource.MustParse("8Gi"),
		corev1.ResourceEphemeralStorage: resource.MustParse("20Gi"), corev1.ResourcePods: resource.MustParse("110"),
	}
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{
			corev1.LabelHostname: name, cluster.SimulatedLabel: name, cluster.RunLabel: s.Run, cluster.ManagedByLabel: cluster.ManagedBy,
			corev1.LabelNodeExcludeBalancers: "true",
			// It says nothing about the health of the nodes around it.
			excludeDisruption: "true",
			// Many agents keep off nodes that are no machines, by this label.
			"type": "virtual-kubelet",
		}},
		Spec: corev1.NodeSpec{Taints: []corev1.Taint{s.Fence}},
		// Without a condition the node-lifecycle controller would take the taint
		// not-ready off again, before the node is Ready.
		Status: corev1.NodeStatus{Capacity: capacity, Allocatable: capacity, Conditions: readyConditions(corev1.ConditionFalse)},
	}
}

func readyConditions(ready corev1.ConditionStatus) []corev1.NodeCondition {
	condition := func(kind corev1.NodeConditionType, status corev1.ConditionStatus) corev1.NodeCondition {
		return corev1.NodeCondition{Type: kind, Status: status, Reason: "Simulated"}
	}
	return []corev1.NodeCondition{
		condition(corev1.NodeMemoryPressure, corev1.ConditionFalse),
		condition(corev1.NodeDiskPressure, corev1.ConditionFalse),
		condition(corev1.NodePIDPressure, corev1.ConditionFalse),
		condition(corev1.NodeReady, ready),
	}
}

// TrySimulate asks the API server whether it would take a simulated node.
func (h Hand) TrySimulate(ctx context.Context) error {
	s := &Simulated{Hand: h, Fence: FenceOf(h.Run)}
	_, err := h.Client.CoreV1().Nodes().Create(ctx, s.object("rollcall-sim-trial"), metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	return err
}

// SetConditions posts conditions as a kubelet does.
func (s *Simulated) SetConditions(ctx context.Context, conditions ...corev1.NodeCondition) error {
	now := metav1.Now()
	for i := range conditions {
		conditions[i].LastHeartbeatTime, conditions[i].LastTransitionTime = now, now
	}
	return s.patchStatus(ctx, conditions)
}

func (s *Simulated) patchStatus(ctx context.Context, conditions any) error {
	patch, err := json.Marshal(map[string]any{
		"metadata": map[string]any{"uid": s.Node.UID}, "status": map[string]any{"conditions": conditions},
	})
	if err != nil {
		return err
	}
	_, err = s.Client.CoreV1().Nodes().Patch(ctx, s.Node.Name, types.StrategicMergePatchType, patch, metav1.PatchOptions{}, "status")
	return err
}

// PostReady posts all conditions that a kubelet posts: no pressure, and Ready as
// given.
func (s *Simulated) PostReady(ctx context.Context, ready corev1.ConditionStatus) error {
	return s.SetConditions(ctx, readyConditions(ready)...)
}

// begin makes the node's Lease, and starts to renew it and the kubelet.
func (s *Simulated) begin(ctx context.Context) (*life, error) {
	lease, err := s.Client.CoordinationV1().Leases(corev1.NamespaceNodeLease).Create(ctx, s.lease(), metav1.CreateOptions{})
	if err != nil {
		return nil, err
	}
	return s.live(ctx, renewal(s.Client, lease)), nil
}

// live starts the kubelet and a heartbeat.
func (s *Simulated) live(ctx context.Context, beat func(context.Context)) *life {
	l := newLife(ctx, beat)
	kubelet{s.Client, s.wanted.Name}.begin(l.ctx)
	return l
}

func (s *Simulated) lease() *coordinationv1.Lease {
	now := metav1.NowMicro()
	return &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{
			Name: s.Node.Name, Labels: s.labels(loanLabel),
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "v1", Kind: "Node", Name: s.Node.Name, UID: s.Node.UID}},
		},
		Spec: coordinationv1.LeaseSpec{
			HolderIdentity: &s.Node.Name, LeaseDurationSeconds: ptr.To(int32(leaseDuration.Seconds())), RenewTime: &now,
		},
	}
}

// Silence ends the node's heartbeat, and its kubelet, as a machine does that
// loses power. It stays in the cluster until Dissolve.
func (s *Simulated) Silence() {
	if s.life != nil {
		s.life.end()
		s.life = nil
	}
}

// Wake lets a silent node live again and be Ready.
func (s *Simulated) Wake(ctx context.Context) error {
	s.Silence()
	lease, err := s.Client.CoordinationV1().Leases(corev1.NamespaceNodeLease).Get(ctx, s.wanted.Name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	beat := renewal(s.Client, lease)
	beat(ctx)
	s.life = s.live(ctx, beat)
	return s.PostReady(ctx, corev1.ConditionTrue)
}

// BeatByStatus lets the node renew its Lease no longer and post its status every
// few seconds instead, as nodes did before there were Leases.
func (s *Simulated) BeatByStatus(ctx context.Context) {
	s.Silence()
	s.life = s.live(ctx, func(ctx context.Context) { _ = s.postHeartbeat(ctx) })
}

func (s *Simulated) postHeartbeat(ctx context.Context) error {
	return s.patchStatus(ctx, []map[string]any{{"type": corev1.NodeReady, "lastHeartbeatTime": metav1.Now()}})
}

// Leave deletes the Node object, as an administrator does with a machine that is
// switched off. Its record stays in the journal.
func (s *Simulated) Leave(ctx context.Context) error {
	s.Silence()
	err := s.Client.CoreV1().Nodes().Delete(ctx, s.Node.Name, metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &s.Node.UID}})
	if err != nil {
		return err
	}
	err = s.Client.CoordinationV1().Leases(corev1.NamespaceNodeLease).Delete(ctx, s.Node.Name, metav1.DeleteOptions{})
	return ignore(err, apierrors.IsNotFound)
}

// Rejoin creates the Node object again, under its name and with another UID.
func (s *Simulated) Rejoin(ctx context.Context) error { return s.join(ctx) }

// Dissolve removes the node, its Pods and its record. It does so even when ctx
// has ended.
func (s *Simulated) Dissolve(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), loanDuration)
	defer cancel()
	s.Silence()
	_, err := s.record.Undo(ctx, s.Client)
	return err
}

// dissolve removes the node of a record, first the object, so that no controller
// makes new Pods for it, and then what was on it: there is no kubelet that would
// confirm the end of a Pod.
func dissolve(ctx context.Context, client kubernetes.Interface, record Record) error {
	nodes := client.CoreV1().Nodes()
	node, err := nodes.Get(ctx, record.Node, metav1.GetOptions{})
	if err == nil && node.Labels[cluster.SimulatedLabel] != record.Node {
		return fmt.Errorf("node %s is not rollcall's: it has no label %s", record.Node, cluster.SimulatedLabel)
	}
	if err == nil {
		err = nodes.Delete(ctx, node.Name, metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &node.UID}})
	}
	if ignore(err, apierrors.IsNotFound) != nil {
		return err
	}
	err = client.CoordinationV1().Leases(corev1.NamespaceNodeLease).Delete(ctx, record.Node, metav1.DeleteOptions{})
	return errors.Join(ignore(err, apierrors.IsNotFound), removePods(ctx, client, record.Node))
}

func removePods(ctx context.Context, client kubernetes.Interface, node string) error {
	pods, err := client.CoreV1().Pods(metav1.NamespaceAll).List(ctx, metav1.ListOptions{FieldSelector: onNode(node)})
	if err != nil {
		return err
	}
	var faults []error
	for _, pod := range pods.Items {
		if pod.Spec.NodeName == node {
			faults = append(faults, confirmEnd(ctx, client, &pod))
		}
	}
	return errors.Join(faults...)
}

// confirmEnd removes a Pod for good, as a kubelet does once its containers have
// stopped.
func confirmEnd(ctx context.Context, client kubernetes.Interface, pod *corev1.Pod) error {
	err := client.CoreV1().Pods(pod.Namespace).Delete(ctx, pod.Name, metav1.DeleteOptions{
		GracePeriodSeconds: ptr.To(int64(0)), Preconditions: &metav1.Preconditions{UID: &pod.UID},
	})
	return ignore(err, func(err error) bool { return apierrors.IsNotFound(err) || apierrors.IsConflict(err) })
}
