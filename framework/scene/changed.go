package scene

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
)

// DoubtIfChanged makes the verdict inconclusive, and returns true, where admission
// changed the resources that a Pod asked for: what follows is then about another
// Pod.
func DoubtIfChanged(asked, got *corev1.Pod) bool {
	change := changed(asked, got)
	if change != "" {
		Doubt("admission %s", change)
	}
	return change != ""
}

// compare remembers what admission made of a Pod. Where the spec has a LimitRange
// of its own, that is what it is about.
func (s *Scene) compare(asked, got *corev1.Pod) {
	if s.changed == "" && !s.ownLimits {
		s.changed = changed(asked, got)
	}
}

// doubtChanges makes the verdict on a spec that has failed inconclusive if a Pod is
// not the one that it asked for: a webhook may add a container to each.
func (s *Scene) doubtChanges() {
	if s.changed != "" {
		Doubt("admission %s", s.changed)
	}
}

// changed tells what of a Pod's resources is not as it was asked for.
func changed(asked, got *corev1.Pod) string {
	before := slices.Concat(asked.Spec.InitContainers, asked.Spec.Containers)
	after := slices.Concat(got.Spec.InitContainers, got.Spec.Containers)
	if len(before) != len(after) {
		return fmt.Sprintf("made %d containers of the %d that were asked for", len(after), len(before))
	}
	for i := range before {
		if !equality.Semantic.DeepEqual(defaulted(before[i].Resources), defaulted(after[i].Resources)) {
			return fmt.Sprintf("changed the resources of container %s, by a LimitRange or a webhook", before[i].Name)
		}
	}
	return ""
}

// defaulted fills in the requests that Kubernetes itself takes from the limits.
// https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/#requests-and-limits
func defaulted(resources corev1.ResourceRequirements) corev1.ResourceRequirements {
	requests := corev1.ResourceList{}
	maps.Copy(requests, resources.Limits)
	maps.Copy(requests, resources.Requests)
	return corev1.ResourceRequirements{Limits: resources.Limits, Requests: requests}
}
