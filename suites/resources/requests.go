package resources

import (
	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/scene"
)

// requests are examples of what containers, init containers and sidecars
// request together.
func requests(cluster *scene.Cluster) {
	specs(cluster, []example{
		{"RES-01", "asks for the sum of its app containers where that is more than any init container",
			pod(initial(cpu("200m")), apps(cpu("150m"), cpu("150m"))), amounts{requestsCPU: "300m"}},
		{"RES-01", "asks for its largest init container where that is more than all app containers",
			pod(initial(cpu("500m")), apps(cpu("150m"), cpu("150m"))), amounts{requestsCPU: "500m"}},
		{"RES-01", "asks for sidecars and app containers together",
			pod(sidecar(cpu("100m")), initial(cpu("150m")), sidecar(cpu("50m")), apps(cpu("200m"))), amounts{requestsCPU: "350m"}},
		{"RES-01", "takes the maximum of each resource by itself",
			pod(initial(fixtures.Resources("500m", "16Mi", "10", "1Gi")), apps(fixtures.Resources("100m", "256Mi", "10", "1Gi"))),
			amounts{requestsCPU: "500m", requestsMemory: "256Mi"}},
		{"RES-02", "adds a sidecar to the init container after it",
			pod(sidecar(cpu("150m")), initial(cpu("300m")), apps(cpu("150m"))), amounts{requestsCPU: "450m"}},
		{"RES-02", "does not add a sidecar to the init container before it",
			pod(initial(cpu("300m")), sidecar(cpu("150m")), apps(cpu("150m"))), amounts{requestsCPU: "300m"}},
		{"RES-02", "adds to an init container just those sidecars that come before it",
			pod(sidecar(cpu("100m")), initial(cpu("300m")), sidecar(cpu("150m")), initial(cpu("200m")), apps(cpu("50m"))),
			amounts{requestsCPU: "450m"}},
		{"RES-03", "does not add up init containers, which run one after the other",
			pod(initial(cpu("100m")), initial(cpu("200m")), initial(cpu("150m")), apps(cpu("50m"))), amounts{requestsCPU: "200m"}},
	})
}

// limits are examples of the same for limits.
func limits(cluster *scene.Cluster) {
	specs(cluster, []example{
		{"RES-04", "is limited by its largest init container where that is more than all app containers",
			pod(initial(limited("500m", "32Mi")), apps(limited("100m", "64Mi"), limited("100m", "64Mi"))),
			amounts{limitsCPU: "500m", limitsMemory: "128Mi"}},
		{"RES-04", "is limited by a sidecar and the init container after it",
			pod(sidecar(limited("150m", "64Mi")), initial(limited("300m", "64Mi")), apps(limited("150m", "32Mi"))),
			amounts{limitsCPU: "450m", limitsMemory: "128Mi"}},
	})
}
