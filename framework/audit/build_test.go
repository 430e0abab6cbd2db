package audit

import (
	"encoding/json"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"
)

// The tests build snapshots around one instant, of nodes that are an hour old and
// Pods that are half an hour old.
var instant = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func ago(d time.Duration) metav1.Time { return metav1.NewTime(instant.Add(-d)) }

func aNode(name string, changes ...func(*corev1.Node)) *corev1.Node {
	node := &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID("uid-" + name), CreationTimestamp: ago(time.Hour), Labels: map[string]string{}},
		Status:     corev1.NodeStatus{Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}},
	}
	for _, change := range changes {
		change(node)
	}
	return node
}

func silentNode(n *corev1.Node) {
	n.Status.Conditions[0] = corev1.NodeCondition{Type: corev1.NodeReady, Status: corev1.ConditionUnknown, Reason: "NodeStatusUnknown", Message: "Kubelet stopped posting node status."}
}

func newNode(n *corev1.Node) { n.CreationTimestamp = ago(time.Minute) }

func tainted(key, value string, effect corev1.TaintEffect) func(*corev1.Node) {
	return func(n *corev1.Node) {
		n.Spec.Taints = append(n.Spec.Taints, corev1.Taint{Key: key, Value: value, Effect: effect})
	}
}

func labelled(key, value string) func(*corev1.Node) {
	return func(n *corev1.Node) { n.Labels[key] = value }
}

func aDaemonSet(changes ...func(*appsv1.DaemonSet)) *appsv1.DaemonSet {
	d := &appsv1.DaemonSet{
		ObjectMeta: metav1.ObjectMeta{Namespace: "logging", Name: "agent", UID: "uid-agent", Generation: 1},
		Spec: appsv1.DaemonSetSpec{Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "agent", Image: "agent:1"}}}},
			UpdateStrategy: appsv1.DaemonSetUpdateStrategy{Type: appsv1.RollingUpdateDaemonSetStrategyType}},
		Status: appsv1.DaemonSetStatus{ObservedGeneration: 1, DesiredNumberScheduled: 3},
	}
	for _, change := range changes {
		change(d)
	}
	return d
}

func rolling(unavailable, surge string) func(*appsv1.DaemonSet) {
	return func(d *appsv1.DaemonSet) {
		d.Spec.UpdateStrategy.RollingUpdate = &appsv1.RollingUpdateDaemonSet{
			MaxUnavailable: ptr.To(intstr.Parse(unavailable)), MaxSurge: ptr.To(intstr.Parse(surge)),
		}
	}
}

// aPod is a Pod of the DaemonSet that runs and is Ready; empty for no node.
func aPod(name, node string, changes ...func(*corev1.Pod)) *corev1.Pod {
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "logging", Name: name, UID: types.UID("uid-" + name), CreationTimestamp: ago(30 * time.Minute),
			Labels:          map[string]string{appsv1.ControllerRevisionHashLabelKey: "v1"},
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "DaemonSet", Name: "agent", UID: "uid-agent", Controller: ptr.To(true)}},
		},
		Spec: corev1.PodSpec{NodeName: node, Containers: []corev1.Container{{Name: "agent", Image: "agent:1"}}},
		Status: corev1.PodStatus{Phase: corev1.PodRunning,
			Conditions:        []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}},
			ContainerStatuses: []corev1.ContainerStatus{{Name: "agent", Ready: true, State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}}}},
	}
	for _, change := range changes {
		change(pod)
	}
	return pod
}

// aimed is a Pod that is not bound to its node yet.
func aimed(node string) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Spec.NodeName = ""
		p.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{
			NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchFields: []corev1.NodeSelectorRequirement{{Key: metav1.ObjectNameField, Operator: corev1.NodeSelectorOpIn, Values: []string{node}}}}},
		}}}
		p.Status = corev1.PodStatus{Phase: corev1.PodPending}
	}
}

func unscheduledFor(message string) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable, Message: message}}
	}
}

// notReady gives the only container a state in which the Pod is not Ready.
func notReady(status corev1.ContainerStatus) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		status.Name = "agent"
		p.Status.Conditions[0].Status = corev1.ConditionFalse
		p.Status.ContainerStatuses = []corev1.ContainerStatus{status}
	}
}

func waiting(reason, message string) corev1.ContainerStatus {
	return corev1.ContainerStatus{State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: reason, Message: message}}}
}

// ended is a container that waits to be restarted after it ended with a code.
func ended(code, restarts int32) corev1.ContainerStatus {
	status := waiting("CrashLoopBackOff", "")
	status.RestartCount = restarts
	status.LastTerminationState.Terminated = &corev1.ContainerStateTerminated{ExitCode: code, Reason: "Error"}
	return status
}

func running() corev1.ContainerStatus {
	return corev1.ContainerStatus{State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}}
}

func leaving(at time.Duration) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.DeletionTimestamp = ptr.To(metav1.NewTime(instant.Add(at))) }
}

func young(p *corev1.Pod) { p.CreationTimestamp = ago(10 * time.Second) }

func version(hash string) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Labels[appsv1.ControllerRevisionHashLabelKey] = hash }
}

func warning(about types.UID, kind, reason, message string) *corev1.Event {
	return &corev1.Event{
		Type: corev1.EventTypeWarning, Reason: reason, Message: message, LastTimestamp: ago(time.Minute),
		InvolvedObject: corev1.ObjectReference{Kind: kind, UID: about},
	}
}

// aSnapshot is of the DaemonSet and of whatever else is given.
func aSnapshot(d *appsv1.DaemonSet, objects ...metav1.Object) *Snapshot {
	s := newSnapshot("logging")
	s.Before, s.After = []*appsv1.DaemonSet{d}, []*appsv1.DaemonSet{d}
	for _, object := range objects {
		switch object := object.(type) {
		case *corev1.Node:
			s.Nodes = append(s.Nodes, object)
		case *corev1.Pod:
			s.addPod(object)
		case *corev1.Event:
			s.addEvent(object)
		case *appsv1.ControllerRevision:
			s.addRevision(object)
		}
	}
	s.At = instant
	return s
}

func rosterOf(names ...string) Roster {
	roster := Roster{}
	for _, name := range names {
		roster[name] = types.UID("uid-" + name)
	}
	return roster
}

func audited(t *testing.T, s *Snapshot, roster Roster) *Audit {
	t.Helper()
	a, err := Of(s, "logging", "agent", roster)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func podOf(t *testing.T, text string) *corev1.Pod {
	t.Helper()
	pod := &corev1.Pod{}
	if err := json.Unmarshal([]byte(text), pod); err != nil {
		t.Fatal(err)
	}
	return pod
}
