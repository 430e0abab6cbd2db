package cluster

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/utils/ptr"

	"rollcall.dev/rollcall/framework/requirement"
)

// probeCapabilities notes what the cluster lacks of what only trying can tell.
// Nothing is stored. A trial that fails for another reason counts as lacking,
// with that reason: it is better to skip than to blame the cluster.
func (s *scratch) probeCapabilities(ctx context.Context, findings *Findings, settings Settings) {
	if why := s.lacksHostNetwork(ctx, settings); why != "" {
		findings.Lacking[requirement.HostNetwork] = why
	}
	if why := s.lacksPodLevelResources(ctx, settings); why != "" {
		findings.Lacking[requirement.PodLevelResources] = why
	}
	if why := s.lacksRestartRules(ctx, settings); why != "" {
		findings.Lacking[requirement.ContainerRestartRules] = why
	}
}

func (s *scratch) lacksHostNetwork(ctx context.Context, settings Settings) string {
	if s.refusal != "" {
		return s.refusal
	}
	pod := fixturePod(settings)
	pod.Spec.HostNetwork = true
	if _, err := s.dryRun(ctx, pod); err != nil {
		return "the cluster refuses a Pod with hostNetwork: " + cause(err)
	}
	return ""
}

func (s *scratch) lacksPodLevelResources(ctx context.Context, settings Settings) string {
	pod := fixturePod(settings)
	pod.Spec.Resources = &corev1.ResourceRequirements{
		Limits: corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("128Mi")},
	}
	switch got, err := s.dryRun(ctx, pod); {
	case err != nil:
		return "the API server refuses resources of a whole Pod: " + cause(err)
	case got.Spec.Resources == nil || len(got.Spec.Resources.Limits) == 0:
		return "the API server drops resources of a whole Pod (feature PodLevelResources, on since Kubernetes 1.34)"
	default:
		return ""
	}
}

func (s *scratch) lacksRestartRules(ctx context.Context, settings Settings) string {
	pod := fixturePod(settings)
	pod.Spec.Containers[0].RestartPolicy = ptr.To(corev1.ContainerRestartPolicyNever)
	switch got, err := s.dryRun(ctx, pod); {
	case err != nil:
		return "the API server refuses a restart policy of a container: " + cause(err)
	case got.Spec.Containers[0].RestartPolicy == nil:
		return "the API server drops the restart policy of a container (feature ContainerRestartRules, on since Kubernetes 1.35)"
	default:
		return ""
	}
}
