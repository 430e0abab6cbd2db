package qos

import (
	"context"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

// classResists resizes a Pod that is stored and never starts: the API server
// alone refuses it.
func classResists(cluster *scene.Cluster) {
	It("refuses to resize a Pod in place out of its class", requirement.Checks("QOS-26"), func(ctx SpecContext) {
		stage := cluster.Open(ctx)
		stored := stage.CreatePod(ctx, fixtures.Pod("agent", app(fixtures.Resources("100m", "64Mi", "100m", "64Mi")), fixtures.Unscheduled))
		_, err := resize(ctx, stage, stored, fixtures.Resources("200m", "64Mi", "200m", "64Mi"))
		Expect(err).NotTo(HaveOccurred(), "the contrast: another size of the same class")

		_, err = resize(ctx, stage, stored, fixtures.Resources("50m", "64Mi", "100m", "64Mi"))

		Expect(err).To(judge.RefusedAt("spec"))
		scene.Saw("refused: %v", err)
	})
}

// resize asks, without storing it, for other resources of a Pod's container.
func resize(ctx context.Context, stage *scene.Scene, pod *corev1.Pod, resources corev1.ResourceRequirements) (*corev1.Pod, error) {
	resized := pod.DeepCopy()
	resized.Spec.Containers[0].Resources = resources
	return stage.Client.CoreV1().Pods(stage.Namespace).UpdateResize(ctx, pod.Name, resized, metav1.UpdateOptions{DryRun: []string{metav1.DryRunAll}})
}
