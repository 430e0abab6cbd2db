package limit

import "time"

// Limit is how long something may take, and why just that long.
type Limit struct {
	// Name says what is waited for.
	Name string
	// For is the longest wait on a small cluster, before it is scaled.
	For time.Duration
	// PerNode is what each node of the roster adds to it, before it is scaled.
	PerNode time.Duration
	// Source is the documented number behind it.
	Source string
}

// Turn is what a node adds where a controller has work on each of them: it waits for
// its turn among the calls of one client.
const Turn = 600 * time.Millisecond

const turnSource = "for each node 0.6 s: six specs at a time with up to two Pods a node, at kube-controller-manager's default of 20 calls/s (--kube-api-qps)"

// The limits. A spec that waits names one of them.
//
// A kubelet that has missed something sees it at its next sync of the Pod, which comes
// 60 to 90 s after the one before: syncFrequency, and up to half of it at random.
// https://kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1/
var (
	Call         = fixed("one API call", 15*time.Second, "client default; API Priority and Fairness queues for at most 15 s")
	Namespace    = fixed("a new namespace with its default ServiceAccount", 30*time.Second, "the ServiceAccount controller reacts to a watch")
	Placement    = perNode("a Pod object on each node", 60*time.Second, "the DaemonSet controller reacts to a watch; seen in 1-5 s")
	Status       = perNode("a status that follows the spec", 60*time.Second, "the controllers react to a watch; seen in 1-2 s")
	PodReady     = perNode("a Ready Pod", 120*time.Second, "scheduling, image on the node, container start; plus one kubelet sync")
	InitSequence = perNode("a sequence of init containers", 180*time.Second, "two restarts cost 10 s + 20 s of back-off; the rest is container start")
	Restart      = fixed("a container restart", 120*time.Second, "first back-off 10 s, one kubelet sync, container start")
	PodGone      = fixed("a deleted Pod to be gone", 120*time.Second, "grace period 30 s, plus one kubelet sync")
	Rollout      = perNode("a rollout that takes all nodes at a time", 240*time.Second, "on each node one Pod goes (120 s) and one gets Ready (120 s)")
	InTurn       = perNode("a rollout that takes at most 3 nodes in turn", 300*time.Second, "seen in 2-4 s a node; one kubelet sync")
	Collected    = perNode("what a deleted object owned to be gone", 180*time.Second, "the garbage collector reacts to a watch, then a Pod goes (120 s); it retries what failed")
	Retry        = perNode("a controller to retry what was refused", 180*time.Second, "its back-off doubles from 5 ms, and admission may go by what it knew 30 s ago")
	Recount      = fixed("a ResourceQuota to count what is there", 330*time.Second, "its recount every 5 min (--resource-quota-sync-period) may go by an older view and undo a charge; a new quota, or else the next recount, puts it right")
	Silence      = fixed("a silent node to be missed", 120*time.Second, "--node-monitor-grace-period 50 s (40 s before 1.32) and a monitor period of 5 s")
	Return       = fixed("a node to be Ready again", 240*time.Second, "the rest of an outage, then the kubelet's start and its status update of at most 60 s")
	Orphaned     = fixed("the Pods of a node that has left to be removed", 150*time.Second, "a quarantine of 40 s, and a look every 20 s before it and after it")
	Swept        = fixed("one look of the Pod garbage collector", 60*time.Second, "it looks every 20 s")
	Loan         = fixed("a lent node to get free", 10*time.Minute, "other specs of the run hold it for as long as they take")
	Teardown     = fixed("a namespace to be gone", 180*time.Second, "its Pods' grace period and the namespace controller's retries")
)

// Sweep is how long it is watched that the Pod garbage collector removes nothing: it
// looks every 20 s.
const Sweep = 23 * time.Second

// fixed is a limit that no node adds to.
func fixed(name string, longest time.Duration, source string) Limit {
	return Limit{Name: name, For: longest, Source: source}
}

// perNode is a limit that grows with the nodes.
func perNode(name string, longest time.Duration, source string) Limit {
	return Limit{Name: name, For: longest, PerNode: Turn, Source: source + "; " + turnSource}
}

// All is the table, for whoever prints it.
var All = []Limit{Call, Namespace, Placement, Status, PodReady, InitSequence, Restart, PodGone, Rollout, InTurn, Collected, Retry, Recount, Silence, Return, Orphaned, Swept, Loan, Teardown}

// On is the longest wait on a roster of so many nodes, before it is scaled.
func (l Limit) On(nodes int) time.Duration { return l.For + time.Duration(nodes)*l.PerNode }

// Growth is by how much a sum of limits grows at most on a roster of so many nodes.
func Growth(nodes int) float64 {
	most := 1.0
	for _, l := range All {
		most = max(most, float64(l.On(nodes))/float64(l.For))
	}
	return most
}
