package history

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// small returns an object without what no judge reads and much of which changes
// all the time.
func small(object metav1.Object) metav1.Object {
	whole, ok := object.(runtime.Object)
	if !ok {
		return object
	}
	copied, err := meta.Accessor(whole.DeepCopyObject())
	if err != nil {
		return object
	}
	copied.SetManagedFields(nil)
	copied.SetResourceVersion("")
	delete(copied.GetAnnotations(), corev1.LastAppliedConfigAnnotation)
	switch copied := copied.(type) {
	case *corev1.Pod:
		smallPod(copied)
	case *corev1.Node:
		smallNode(copied)
	case *appsv1.DaemonSet:
		smallSpec(&copied.Spec.Template.Spec)
	}
	return copied
}

func smallPod(pod *corev1.Pod) {
	smallSpec(&pod.Spec)
	pod.Status.HostIPs, pod.Status.PodIPs, pod.Status.AllocatedResources, pod.Status.Resources = nil, nil, nil, nil
	for _, status := range slices.Concat(pointers(pod.Status.InitContainerStatuses), pointers(pod.Status.ContainerStatuses)) {
		status.ImageID, status.VolumeMounts, status.AllocatedResources, status.Resources, status.User = "", nil, nil, nil, nil
	}
}

func smallSpec(spec *corev1.PodSpec) {
	spec.Volumes = nil
	for _, container := range slices.Concat(pointers(spec.InitContainers), pointers(spec.Containers)) {
		container.Env, container.VolumeMounts, container.SecurityContext = nil, nil, nil
	}
}

// smallNode leaves of a node's status its conditions, without their heartbeats.
func smallNode(node *corev1.Node) {
	node.Status = corev1.NodeStatus{Conditions: node.Status.Conditions}
	for i := range node.Status.Conditions {
		node.Status.Conditions[i].LastHeartbeatTime = metav1.Time{}
	}
}

func pointers[T any](items []T) []*T {
	pointers := make([]*T, len(items))
	for i := range items {
		pointers[i] = &items[i]
	}
	return pointers
}
