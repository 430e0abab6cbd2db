package nodes

import "rollcall.dev/rollcall/framework/scene"

// Specs describes the area's specs.
func Specs(cluster *scene.Cluster) {
	taints(cluster)
	pressure(cluster)
	notReady(cluster)
	recovered(cluster)
	silent(cluster)
	heartbeats(cluster)
	outOfService(cluster)
}
