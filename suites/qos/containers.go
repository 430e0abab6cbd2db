package qos

import (
	. "github.com/onsi/ginkgo/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

// The resources that the examples are made of.
var (
	nothing = corev1.ResourceRequirements{}
	equal   = fixtures.Resources("100m", "64Mi", "100m", "64Mi")
	larger  = fixtures.Resources("200m", "128Mi", "200m", "128Mi")
	request = fixtures.Resources("100m", "64Mi", "", "")
)

// containerClasses are the examples in which only containers name resources.
func containerClasses(cluster *scene.Cluster) {
	specs(cluster, []example{
		{"QOS-01", corev1.PodQOSBestEffort, "no container asks for anything", pod(app(nothing))},
		{"QOS-02", corev1.PodQOSGuaranteed, "every container's requests equal its limits", pod(apps(equal, larger))},
		{"QOS-03", corev1.PodQOSGuaranteed, "a container names limits and leaves the requests out", pod(app(fixtures.Resources("", "", "100m", "64Mi")))},
		{"QOS-04", corev1.PodQOSBurstable, "a container names requests only", pod(app(request))},
		{"QOS-05", corev1.PodQOSBurstable, "requests are below the limits", pod(app(fixtures.Resources("50m", "32Mi", "100m", "64Mi")))},
		{"QOS-06", corev1.PodQOSBurstable, "only CPU is requested and limited", pod(app(fixtures.Resources("100m", "", "100m", "")))},
		{"QOS-07", corev1.PodQOSBurstable, "only memory is requested and limited", pod(app(fixtures.Resources("", "64Mi", "", "64Mi")))},
		{"QOS-08", corev1.PodQOSBurstable, "CPU is equal and memory is not", pod(app(fixtures.Resources("100m", "32Mi", "100m", "64Mi")))},
		{"QOS-09", corev1.PodQOSBurstable, "one container would be Guaranteed and another asks for nothing", pod(apps(equal, nothing))},
		{"QOS-10", corev1.PodQOSBurstable, "one container has requests and another asks for nothing", pod(apps(nothing, request))},
		{"QOS-11", corev1.PodQOSBurstable, "an init container beside a Guaranteed app asks for nothing", pod(app(equal), initial(nothing))},
		{"QOS-12", corev1.PodQOSBurstable, "a sidecar beside a Guaranteed app asks for nothing", pod(app(equal), sidecar(nothing))},
		{"QOS-13", corev1.PodQOSGuaranteed, "app and init container are each equal, with different numbers", pod(app(equal), initial(larger))},
		{"QOS-14", corev1.PodQOSBurstable, "only the init container has a request", pod(app(nothing), initial(request))},
		{"QOS-15", corev1.PodQOSBestEffort, "only ephemeral storage is requested and limited", pod(app(both(corev1.ResourceEphemeralStorage, "64Mi")))},
		{"QOS-16", corev1.PodQOSBestEffort, "only an extended resource is requested", pod(app(both("rollcall.dev/widget", "1")))},
		{"QOS-17", corev1.PodQOSGuaranteed, "equal CPU and memory stand beside a mere request for ephemeral storage", pod(app(withStorageRequest(equal)))},
		{"QOS-18", corev1.PodQOSBestEffort, "every quantity is an explicit zero", pod(app(fixtures.Resources("0", "0", "0", "0")))},
	})

	It("makes a Pod Guaranteed when requests and limits are equal and written in different units", requirement.Checks("QOS-19"), func(ctx SpecContext) {
		asked := fixtures.Pod("agent", app(fixtures.Resources("1", "1Gi", "1", "1Gi")))

		got, err := cluster.Desk(ctx).Reworded(ctx, asked.DeepCopy(), `"limits":{"cpu":"1","memory":"1Gi"}`, `"limits":{"cpu":"1000m","memory":"1024Mi"}`)

		expectClass(asked, got, err, corev1.PodQOSGuaranteed)
	})
}

func pod(options ...fixtures.PodOption) []fixtures.PodOption { return options }

// both requests and limits one resource.
func both(name corev1.ResourceName, quantity string) corev1.ResourceRequirements {
	list := corev1.ResourceList{name: resource.MustParse(quantity)}
	return corev1.ResourceRequirements{Requests: list, Limits: list}
}

func withStorageRequest(resources corev1.ResourceRequirements) corev1.ResourceRequirements {
	more := *resources.DeepCopy()
	more.Requests[corev1.ResourceEphemeralStorage] = resource.MustParse("64Mi")
	return more
}
