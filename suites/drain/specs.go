package drain

import "rollcall.dev/rollcall/framework/scene"

// Specs describes the area's specs.
func Specs(cluster *scene.Cluster) {
	cordon(cluster)
	refusals(cluster)
	flags(cluster)
	again(cluster)
	harmless(cluster)
	finished(cluster)
	orphaned(cluster)
	mirrored(cluster)
	budgets(cluster)
	guardedDaemons(cluster)
	rights(cluster)
	onRealNodes(cluster)
}
