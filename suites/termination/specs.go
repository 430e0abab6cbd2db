package termination

import "rollcall.dev/rollcall/framework/scene"

// Specs describes the area's specs.
func Specs(cluster *scene.Cluster) {
	grace(cluster)
	signals(cluster)
	preStop(cluster)
	force(cluster)
	rollingUpdate(cluster)
	endpoints(cluster)
}
