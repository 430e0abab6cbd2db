package coverage

import "rollcall.dev/rollcall/framework/requirement"

// Since each node has a queue of its own in the controller, a change of a node
// makes it look at a DaemonSet only in some cases.
const ownQueue = "1.33"

// newest is the newest release that was looked at.
const newest = "1.37"

// What releases do instead of what is documented.
var (
	staleCounts = requirement.Deviation{
		ID: "KD-1", Since: ownQueue, Until: newest,
		Seen: "When a node with a Pod gets a NoSchedule taint, desired and misscheduled stay as they were until the controller next looks at the DaemonSet, 12 hours later at worst.",
		Link: "https://github.com/kubernetes/kubernetes/issues/132459",
	}
	waitsOnUnlabelled = requirement.Deviation{
		ID: "KD-2", Since: ownQueue, Until: newest,
		Seen: "When a node loses the label while its Pod is not bound yet, the Pod waits on until the controller next looks at the DaemonSet.",
		Link: "https://github.com/kubernetes/kubernetes/blob/v1.37.2/pkg/controller/daemon/daemon_controller.go",
	}
	unnoticedLeave = requirement.Deviation{
		ID: "KD-3", Until: newest,
		Seen: "No deletion of a node makes the controller look at a DaemonSet, so that a Pod that waits for the node waits on until it next does.",
		Link: "https://github.com/kubernetes/kubernetes/blob/v1.37.2/pkg/controller/daemon/daemon_controller.go",
	}
)
