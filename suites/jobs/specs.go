package jobs

import "rollcall.dev/rollcall/framework/scene"

// Specs describes the area's specs.
func Specs(cluster *scene.Cluster) {
	failures(cluster)
	removal(cluster)
	disruption(cluster)
	eviction(cluster)
	deadline(cluster)
}
