package resources

import "rollcall.dev/rollcall/framework/scene"

// Specs describes the area's specs.
func Specs(cluster *scene.Cluster) {
	requests(cluster)
	limits(cluster)
	wholePod(cluster)
	defaults(cluster)
	scheduling(cluster)
}
