package resources

import (
	corev1 "k8s.io/api/core/v1"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/scene"
)

// wholePod are examples in which the Pod itself names resources.
func wholePod(cluster *scene.Cluster) {
	specs(cluster, []example{
		{"RES-05", "asks for what the Pod itself names, whatever its containers ask for",
			pod(ofPod(fixtures.Resources("700m", "512Mi", "2", "2Gi")), initial(limited("200m", "64Mi")), apps(limited("100m", "64Mi"))),
			amounts{"700m", "512Mi", "2", "2Gi"}},
		{"RES-05", "asks for what its containers ask for in a resource that the Pod itself does not name",
			pod(ofPod(fixtures.Resources("700m", "", "2", "")), initial(limited("200m", "64Mi")), apps(limited("100m", "32Mi"))),
			amounts{"700m", "1Mi", "2", "64Mi"}},
	})
}

func ofPod(resources corev1.ResourceRequirements) fixtures.PodOption {
	return func(t *corev1.PodTemplateSpec) { t.Spec.Resources = resources.DeepCopy() }
}
