package coverage

import "rollcall.dev/rollcall/framework/scene"

// Specs describes the area's specs.
func Specs(cluster *scene.Cluster) {
	everyNode(cluster)
	chosenNodes(cluster)
	affinity(cluster)
	counters(cluster)
	generations(cluster)
	identity(cluster)
	binding(cluster)
	ports(cluster)
	validation(cluster)
	refusedPods(cluster)
	adoption(cluster)
	neighbours(cluster)
	deletion(cluster)
	replacement(cluster)
	taintedNodes(cluster)
	joining(cluster)
	leaving(cluster)
	relabel(cluster)
	misscheduled(cluster)
	notReadyNode(cluster)
	preemption(cluster)
	foreign(cluster)
}
