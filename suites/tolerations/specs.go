package tolerations

import "rollcall.dev/rollcall/framework/scene"

// Specs describes the area's specs.
func Specs(cluster *scene.Cluster) {
	automatic(cluster)
	hostNetwork(cluster)
	obsolete(cluster)
	unlimited(cluster)
	ordinary(cluster)
	seconds(cluster)
}
