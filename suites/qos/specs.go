package qos

import "rollcall.dev/rollcall/framework/scene"

// Specs describes the area's specs.
func Specs(cluster *scene.Cluster) {
	containerClasses(cluster)
	podClasses(cluster)
	classLasts(cluster)
	classOfWhatIsStored(cluster)
	classResists(cluster)
}
