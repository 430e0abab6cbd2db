package qos

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"rollcall.dev/rollcall/framework/scene"
)

// doubtIfChanged makes the verdict inconclusive where admission changed the
// resources that a Pod asked for: the class is then that of another Pod.
func doubtIfChanged(asked, got *corev1.Pod) {
	before := slices.Concat(asked.Spec.InitContainers, asked.Spec.Containers)
	after := slices.Concat(got.Spec.InitContainers, got.Spec.Containers)
	if len(before) != len(after) {
		scene.Doubt("admission added containers to the Pod: %d were asked for and there are %d", len(before), len(after))
		return
	}
	for i := range before {
		want := defaulted(before[i].Resources)
		if !equality.Semantic.DeepEqual(want, defaulted(after[i].Resources)) {
			scene.Doubt("admission changed the resources of container %s, by a LimitRange or a webhook", before[i].Name)
		}
	}
}

// defaulted fills in the requests that Kubernetes itself takes from the limits.
// https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/#requests-and-limits
func defaulted(resources corev1.ResourceRequirements) corev1.ResourceRequirements {
	requests := corev1.ResourceList{}
	maps.Copy(requests, resources.Limits)
	maps.Copy(requests, resources.Requests)
	return corev1.ResourceRequirements{Limits: resources.Limits, Requests: requests}
}
