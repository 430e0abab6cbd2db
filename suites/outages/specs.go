package outages

import "rollcall.dev/rollcall/framework/scene"

// Specs describes the area's specs.
func Specs(cluster *scene.Cluster) {
	silence(cluster)
	replacement(cluster)
}
