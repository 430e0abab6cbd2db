package cluster

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/utils/ptr"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/fixtures/workload"
	"rollcall.dev/rollcall/framework/await"
	"rollcall.dev/rollcall/framework/exit"
)

// probeTime is how long a preflight waits for the image on every node.
const probeTime = 20 * time.Second

// probeNodeLabel carries the name of the node that a probe Pod is meant for.
const probeNodeLabel = "rollcall.dev/probe"

// probeImage starts a Pod on each Ready node of the roster that does not list
// the image, and fails on the first that cannot start it. It returns the nodes
// of which nothing is known when the time is over, as warnings.
func (s *scratch) probeImage(ctx context.Context, settings Settings) ([]string, error) {
	open := map[string]string{}
	for _, node := range settings.Facts.OnRoster() {
		if !node.Ready || hasImage(&node.Node, settings.Image) {
			continue
		}
		if err := s.startProbe(ctx, node.Name, settings); err != nil {
			return nil, err
		}
		open[node.Name] = "its Pod did not start in time"
	}
	if len(open) == 0 {
		return nil, nil
	}
	return s.awaitProbes(ctx, settings.Image, open)
}

func (s *scratch) startProbe(ctx context.Context, node string, settings Settings) error {
	pod := probePod(node, settings)
	if _, err := s.Client.CoreV1().Pods(s.name).Create(ctx, pod, metav1.CreateOptions{}); err != nil {
		return environment(err, "%s", refused(err, "a Pod"))
	}
	return nil
}

// awaitProbes watches the Pods until the image has started for each of the open
// nodes; open holds what is known about the others.
func (s *scratch) awaitProbes(ctx context.Context, image string, open map[string]string) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	err := await.Until(ctx, s.Client, s.Client.CoreV1().Pods(s.name), await.Which{},
		func(_ watch.EventType, pod *corev1.Pod) (bool, error) {
			node := pod.Annotations[probeNodeLabel]
			switch started, trouble := Start(pod); {
			case started:
				delete(open, node)
			case trouble.Fatal:
				return false, exit.Environmentf("node %s cannot run the image %s: %s", node, image, trouble.Reason)
			case trouble.Reason != "" && open[node] != "":
				open[node] = trouble.Reason
			}
			return len(open) == 0, nil
		})
	if errors.Is(err, context.DeadlineExceeded) {
		return unprobed(image, open), nil
	}
	return nil, err
}

func unprobed(image string, open map[string]string) []string {
	var warnings []string
	for _, node := range slices.Sorted(maps.Keys(open)) {
		warnings = append(warnings, fmt.Sprintf("whether node %s can run the image %s is not known: %s", node, image, open[node]))
	}
	return warnings
}

// hasImage reports whether the node lists the image. A node lists only its 50
// largest images, so that a "no" means nothing.
func hasImage(node *corev1.Node, image string) bool {
	for _, listed := range node.Status.Images {
		for _, name := range []string{image, "docker.io/" + image, "docker.io/library/" + image} {
			if slices.Contains(listed.Names, name) {
				return true
			}
		}
	}
	return false
}

// probePod is a Pod for one node. The scheduler places it there, so that a full
// node refuses it; it tolerates every taint, since a DaemonSet may as well.
func probePod(node string, settings Settings) *corev1.Pod {
	pod := fixturePod(settings)
	pod.Annotations[probeNodeLabel] = node
	pod.Spec.Tolerations = []corev1.Toleration{{Operator: corev1.TolerationOpExists}}
	pod.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{
			NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchFields: []corev1.NodeSelectorRequirement{{
				Key: metav1.ObjectNameField, Operator: corev1.NodeSelectorOpIn, Values: []string{node},
			}}}},
		},
	}}
	return pod
}

// fixturePod is a Pod such as the specs start, which ends at once.
func fixturePod(settings Settings) *corev1.Pod {
	pod := fixtures.Pod("", fixtures.With(fixtures.Container("probe", workload.Exit(0))))
	pod.GenerateName = "probe-"
	pod.Labels[RunLabel] = settings.RunID
	pod.Spec.RestartPolicy = corev1.RestartPolicyNever
	pod.Spec.TerminationGracePeriodSeconds = ptr.To(int64(1))
	pod.Spec.Containers[0].Image = settings.Image
	if settings.PullSecret != nil {
		pod.Spec.ImagePullSecrets = []corev1.LocalObjectReference{{Name: settings.PullSecret.Name}}
	}
	return pod
}
