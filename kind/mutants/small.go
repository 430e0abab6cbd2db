package mutants

// small is the set that is tried in every build.
var small = []string{
	"puts-toleration-seconds-back",
	"drain-ignores-daemon-sets-unasked",
	"forgets-disk-pressure-toleration",
	"does-not-look-at-node-name",
	"current-leaves-out-pods-that-wait",
	"says-initialized-too-early",
	"the-lowest-container-decides-the-class",
}
