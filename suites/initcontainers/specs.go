package initcontainers

import "rollcall.dev/rollcall/framework/scene"

// Specs describes the area's specs.
func Specs(cluster *scene.Cluster) {
	order(cluster)
	experiment(cluster)
	retries(cluster)
	exitCodes(cluster)
	files(cluster)
	validation(cluster)
	daemonSet(cluster)
	changes(cluster)
	pauses(cluster)
	surroundings(cluster)
	endpoints(cluster)
	sandbox(cluster)
}
