package sidecars

import "rollcall.dev/rollcall/framework/scene"

// Specs describes the area's specs.
func Specs(cluster *scene.Cluster) {
	order(cluster)
	startup(cluster)
	readiness(cluster)
	restarts(cluster)
	ending(cluster)
	validation(cluster)
	rules(cluster)
	sandbox(cluster)
}
