package mutants

// small is the set that is tried in every build.
var small = []string{
	"puts-toleration-seconds-back",
	"drain-ignores-daemon-sets-unasked",
	"forgets-disk-pressure-toleration",
	"does-not-look-at-node-name",
	"takes-one-node-more-than-the-budget",
	"deleted-pods-end-in-no-phase",
	"the-lowest-container-decides-the-class",
}
