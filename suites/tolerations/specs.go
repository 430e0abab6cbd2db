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
	memoryPressure(cluster)
	system(cluster)
	early(cluster)
	executing(cluster)
	noScheduling(cluster)
	silentGap(cluster)
	preferring(cluster)
	matching(cluster)
	inTime(cluster)
	several(cluster)
	loop(cluster)
	onRealNodes(cluster)
}
