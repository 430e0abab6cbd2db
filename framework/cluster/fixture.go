package cluster

import (
	"context"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// tryFixture asks, without storing anything, for a Pod such as the specs start.
// A refusal is an exit.EnvironmentError; what admission changed is a warning,
// since a changed Pod is no longer the one that a requirement speaks of.
func (s *scratch) tryFixture(ctx context.Context, settings Settings) ([]string, error) {
	asked := fixturePod(settings)
	got, err := s.dryRun(ctx, asked.DeepCopy())
	switch {
	case err == nil:
		return changes(asked, got), nil
	case noDryRun(err):
		return []string{"what admission does to a Pod is not known: " + cause(err)}, nil
	default:
		return nil, environment(err, "%s", refused(err, "a Pod"))
	}
}

func (s *scratch) dryRun(ctx context.Context, pod *corev1.Pod) (*corev1.Pod, error) {
	return s.Client.CoreV1().Pods(s.name).Create(ctx, pod, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
}

// changes lists what admission made different about a Pod that a requirement
// could depend on. What Kubernetes itself fills in is not among it.
func changes(asked, got *corev1.Pod) []string {
	var list []string
	note := func(format string, args ...any) {
		list = append(list, "admission in this cluster "+fmt.Sprintf(format, args...))
	}
	for _, added := range unexpected(asked.Spec.InitContainers, got.Spec.InitContainers) {
		note("adds the init container %s to every Pod", added)
	}
	for _, added := range unexpected(asked.Spec.Containers, got.Spec.Containers) {
		note("adds the container %s to every Pod", added)
	}
	if resourcesDiffer(asked.Spec.Containers, got.Spec.Containers) {
		note("changes the resources of containers (a LimitRange or a webhook)")
	}
	if !equality.Semantic.DeepEqual(asked.Spec.NodeSelector, got.Spec.NodeSelector) {
		note("changes the node selector of every Pod to %v", got.Spec.NodeSelector)
	}
	if !equality.Semantic.DeepEqual(asked.Spec.Affinity, got.Spec.Affinity) {
		note("changes the affinity of every Pod")
	}
	if keys := foreignTolerations(got.Spec.Tolerations); len(keys) > 0 {
		note("adds tolerations to every Pod (%s)", strings.Join(keys, ", "))
	}
	return list
}

// foreignLimits tells of each LimitRange that somebody has given the namespace by
// now. What they do to a Pod depends on what that asks for.
func (s *scratch) foreignLimits(ctx context.Context) []string {
	ranges, err := s.Client.CoreV1().LimitRanges(s.name).List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil
	}
	var list []string
	for _, limits := range ranges.Items {
		list = append(list, fmt.Sprintf("somebody gives rollcall's namespaces the LimitRange %s: what fails because of it is inconclusive", limits.Name))
	}
	return list
}

// unexpected returns the names of the containers that nobody asked for.
func unexpected(asked, got []corev1.Container) []string {
	var names []string
	for _, container := range got {
		same := func(c corev1.Container) bool { return c.Name == container.Name }
		if !slices.ContainsFunc(asked, same) {
			names = append(names, container.Name)
		}
	}
	return names
}

func resourcesDiffer(asked, got []corev1.Container) bool {
	for _, container := range asked {
		for _, other := range got {
			if other.Name == container.Name && !equality.Semantic.DeepEqual(other.Resources, container.Resources) {
				return true
			}
		}
	}
	return false
}

// foreignTolerations returns the keys that DefaultTolerationSeconds did not add.
func foreignTolerations(got []corev1.Toleration) []string {
	var keys []string
	for _, toleration := range got {
		if toleration.Key != corev1.TaintNodeNotReady && toleration.Key != corev1.TaintNodeUnreachable {
			keys = append(keys, strings.Trim(toleration.Key+":"+string(toleration.Effect), ":"))
		}
	}
	return keys
}
