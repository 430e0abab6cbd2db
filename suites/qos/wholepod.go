package qos

import (
	corev1 "k8s.io/api/core/v1"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/scene"
)

// podClasses are the examples in which the Pod itself names resources. The
// containers beside them would lead to another class.
func podClasses(cluster *scene.Cluster) {
	small := fixtures.Resources("10m", "8Mi", "", "")
	specs(cluster, []example{
		{"QOS-20", corev1.PodQOSGuaranteed, "the Pod's own requests equal its limits, whatever its containers name", pod(app(small), wholePod(equal))},
		{"QOS-21", corev1.PodQOSGuaranteed, "the Pod itself names limits only", pod(app(nothing), wholePod(fixtures.Resources("", "", "100m", "64Mi")))},
		{"QOS-22", corev1.PodQOSBurstable, "the Pod itself names requests only", pod(app(nothing), wholePod(request))},
		{"QOS-23", corev1.PodQOSGuaranteed, "its containers are equal and the Pod's own resources are empty", pod(app(equal), wholePod(nothing))},
	})
}
