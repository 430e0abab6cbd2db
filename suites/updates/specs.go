package updates

import "rollcall.dev/rollcall/framework/scene"

// Specs describes the area's specs.
func Specs(cluster *scene.Cluster) {
	stored(cluster)
	budget(cluster)
	surge(cluster)
	readiness(cluster)
	flaws(cluster)
	undo(cluster)
	changes(cluster)
	onDelete(cluster)
	revisions(cluster)
	rolloutCommands(cluster)
	unchanged(cluster)
	slow(cluster)
	unreachable(cluster)
	joining(cluster)
}
