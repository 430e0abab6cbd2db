package audit

import (
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"rollcall.dev/rollcall/framework/judge"
)

// Pod is what an audit keeps of a Pod that a DaemonSet controls. The first seven
// fields are those of the audit's output.
type Pod struct {
	Name string    `json:"pod"`
	UID  types.UID `json:"uid"`
	// Node is the node that it is bound to, empty if it is not bound.
	Node  string          `json:"node"`
	Phase corev1.PodPhase `json:"phase"`
	// Ready says that it is running, Ready, and not asked to go.
	Ready       bool `json:"ready"`
	Terminating bool `json:"terminating"`
	// Revision is the hash of the template that it was made from.
	Revision *string `json:"revision"`
	// Restarts counts those of all its containers.
	Restarts int64 `json:"restarts"`

	// sick is what is wrong with it, nil if it is Ready.
	sick *sick
}

// sick is what is kept of a Pod that is not Ready.
type sick struct {
	// target is the node that it is meant for, bound or not.
	target string
	// created is when it was made, leave when it has to be gone if it was asked
	// to go.
	created, leave time.Time
	priority       bool // whether it has a priority class
	causes         []Cause
}

// target is the node that a Pod is on or meant for.
func (p Pod) target() string {
	if p.Node == "" && p.sick != nil {
		return p.sick.target
	}
	return p.Node
}

// reduce keeps of a Pod what an audit needs.
func reduce(pod *corev1.Pod) Pod {
	short := Pod{
		Name: pod.Name, UID: pod.UID, Node: pod.Spec.NodeName, Phase: pod.Status.Phase,
		Terminating: judge.Terminating(pod), Restarts: restarts(pod),
	}
	if short.Phase == "" {
		short.Phase = corev1.PodUnknown
	}
	if hash, ok := pod.Labels[appsv1.ControllerRevisionHashLabelKey]; ok {
		short.Revision = &hash
	}
	short.Ready = saysReady(pod) && short.Phase == corev1.PodRunning && !short.Terminating
	if !short.Ready {
		short.sick = examine(pod)
	}
	return short
}

func saysReady(pod *corev1.Pod) bool {
	return slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
	})
}

func restarts(pod *corev1.Pod) int64 {
	total := int64(0)
	for _, status := range slices.Concat(pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses) {
		total += int64(status.RestartCount)
	}
	return total
}

func examine(pod *corev1.Pod) *sick {
	s := &sick{
		target: judge.TargetNode(pod), created: pod.CreationTimestamp.Time,
		priority: pod.Spec.PriorityClassName != "", causes: ailments(pod),
	}
	if pod.DeletionTimestamp != nil {
		s.leave = pod.DeletionTimestamp.Time
	}
	return s
}
