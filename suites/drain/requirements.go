package drain

import (
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
)

// Where the documentation speaks of it.
const (
	draining   = "tasks/administer-cluster/safely-drain-node/"
	drainRef   = "reference/kubectl/generated/kubectl_drain/"
	cordoning  = "concepts/architecture/nodes/#manual-node-administration"
	daemons    = "concepts/workloads/controllers/daemonset/#taints-and-tolerations"
	evicting   = "concepts/scheduling-eviction/api-eviction/"
	disrupting = "concepts/workloads/pods/disruptions/"
)

// The code that keeps the promises.
const (
	filters  = "k8s.io/kubectl pkg/drain/filters.go makeFilters"
	command  = "k8s.io/kubectl pkg/cmd/drain/drain.go RunDrain"
	taints   = "pkg/controller/nodelifecycle/node_lifecycle_controller.go doNoScheduleTaintingPass"
	evictApp = "pkg/registry/core/pod/storage/eviction.go"
)

// What an operator should look at.
const (
	lookAtKubectl = "Compare the version of kubectl with the cluster's, and look for a wrapper or plugin that changes its flags."
	lookAtBudgets = "Read the status of the PodDisruptionBudget that the message names: what it waits for, and whether its controller can work it out."
	lookAtControl = "Read the log of kube-controller-manager (is one leading?), and look for webhooks that change nodes or Pods."
)

var simulation = []requirement.Capability{requirement.NodeObjects}

// Area is the area's requirements.
var Area = requirement.Area{
	Name:  "drain",
	Title: "Cordon, drain and uncordon",
	Requirements: []requirement.Requirement{
		{
			ID: "DRN-01", Doc: cordoning, Source: taints, Remedy: lookAtControl,
			Statement: "A cordoned node is unschedulable and tainted so: new ordinary Pods keep away, running ones stay.",
			Level:     requirement.Simulated, Needs: simulation, Limit: limit.Status.For + limit.Placement.For + reaction,
		},
		{
			ID: "DRN-02", Doc: daemons, Source: "pkg/controller/daemon/util/daemonset_util.go AddOrUpdateDaemonPodTolerations", Remedy: lookAtControl,
			Statement: "A cordon leaves a DaemonSet's Pod alone, and one that is deleted comes back on the cordoned node.",
			Level:     requirement.Simulated, Needs: simulation, Limit: limit.PodGone.For + limit.PodReady.For,
		},
		{
			ID: "DRN-03", Doc: drainRef, Source: filters, Remedy: lookAtKubectl,
			Statement: "Without --ignore-daemonsets a drain of a node with a DaemonSet's Pod fails, evicts nothing and leaves the node cordoned.",
			Level:     requirement.Simulated, Needs: simulation, Limit: limit.PodReady.For,
		},
		{
			ID: "DRN-04", Doc: draining, Source: filters, Remedy: lookAtKubectl,
			Statement: "With --ignore-daemonsets a drain leaves a DaemonSet's Pods alone and evicts the others.",
			Level:     requirement.Simulated, Needs: simulation, Limit: limit.PodReady.For + limit.PodGone.For,
		},
		{
			ID: "DRN-05", Doc: drainRef, Source: filters, Remedy: lookAtKubectl,
			Statement: "A drain evicts a Pod without a controller only with --force; without it, it evicts nothing at all.",
			Level:     requirement.Simulated, Needs: simulation, Limit: limit.PodReady.For + limit.PodGone.For,
		},
		{
			ID: "DRN-06", Doc: drainRef, Source: filters, Remedy: lookAtKubectl,
			Statement: "A drain evicts a Pod with an emptyDir only with --delete-emptydir-data; a DaemonSet's is no matter.",
			Level:     requirement.Simulated, Needs: simulation, Limit: limit.PodReady.For + limit.PodGone.For,
		},
		{
			ID: "DRN-07", Doc: drainRef, Source: filters, Remedy: lookAtKubectl, Level: requirement.API,
			Statement: "A Pod that a drain may not evict for several reasons is reported for the first of them: DaemonSet, mirror Pod, local storage, no controller.",
			Unchecked: "the page does not promise the order of the reasons",
		},
		{
			ID: "DRN-08", Doc: drainRef, Source: filters, Remedy: lookAtKubectl,
			Statement: "A drain passes mirror Pods over without a word.",
			Note:      "A kubelet makes mirror Pods of its static Pods. Whoever may create Pods may create one for a node without a kubelet, and that is what this is shown with.",
			Level:     requirement.Simulated, Needs: simulation, Limit: limit.PodReady.For + limit.PodGone.For,
		},
		{
			ID: "DRN-09", Doc: drainRef, Source: filters, Remedy: lookAtKubectl,
			Statement: "A drain evicts finished Pods without a flag that allows it, whatever controls them and whatever volumes they have.",
			Note:      "A finished Pod of a DaemonSet is no DaemonSet-managed Pod to a drain.",
			Level:     requirement.Simulated, Needs: simulation, Limit: limit.PodReady.For + limit.PodGone.For,
		},
		{
			ID: "DRN-10", Doc: drainRef, Source: filters, Remedy: lookAtKubectl,
			Statement: "A Pod whose DaemonSet is gone is evicted with --force only.",
			Level:     requirement.Simulated, Needs: simulation, Limit: limit.Collected.For + limit.PodGone.For,
		},
		{
			ID: "DRN-11", Doc: evicting, Source: evictApp, Remedy: lookAtBudgets,
			Statement: "A drain does not evict a Pod whose PodDisruptionBudget is used up: it tries again until its --timeout is over, and leaves the node cordoned. With --disable-eviction it deletes the Pod all the same.",
			Level:     requirement.Simulated, Needs: simulation, Limit: limit.PodReady.For + limit.PodGone.For,
		},
		{
			ID: "DRN-12", Doc: disrupting, Source: "pkg/controller/disruption/disruption.go getScaleController, failSafe", Remedy: "Give the PodDisruptionBudget minAvailable as a number.",
			Statement: "A PodDisruptionBudget with maxUnavailable or a percentage that selects a DaemonSet's Pods allows no eviction, and says that it cannot be worked out. One with minAvailable as a number works.",
			Note:      "A DaemonSet has no subresource scale that would tell how many Pods it should have. A drain does not evict its Pods and so does not notice.",
			Level:     requirement.Simulated, Needs: simulation, Limit: limit.PodReady.For + limit.Status.For,
		},
		{
			ID: "DRN-13", Doc: drainRef, Source: command, Remedy: lookAtKubectl,
			Statement: "A second drain and a second uncordon succeed, and an uncordon takes the taint off.",
			Level:     requirement.Simulated, Needs: simulation, Limit: limit.PodReady.For,
		},
		{
			ID: "DRN-14", Doc: drainRef, Source: command, Remedy: lookAtKubectl,
			Statement: "A drain of a node that is not there fails.",
			Level:     requirement.Simulated, Limit: limit.Call.For,
		},
		{
			ID: "DRN-15", Doc: drainRef, Source: command, Remedy: lookAtKubectl,
			Statement: "A drain with --dry-run changes nothing.",
			Level:     requirement.Simulated, Needs: simulation, Limit: limit.PodReady.For,
		},
		{
			ID: "DRN-16", Doc: cordoning, Source: command, Remedy: lookAtControl,
			Statement: "A drain puts no taint on the node but the one of a cordon.",
			Note:      "Texts about DaemonSets speak of a drain as of a NoExecute taint; there is none.",
			Level:     requirement.Simulated, Needs: simulation, Limit: limit.PodReady.For,
		},
		{
			ID: "DRN-17", Doc: draining, Source: command, Remedy: "Give the caller the rights to get and patch nodes, to list and get Pods, to create pods/eviction and to get daemonsets.",
			Statement: "A drain needs the rights to get and patch nodes, to list and get Pods, to create evictions and to get DaemonSets, and no others; without one of them it fails and says which.",
			Note:      "Each right is taken away on trial where the caller may create roles and act for a ServiceAccount. rollcall's own role may not: then only somebody without any right is refused. Who may get nodes and not patch them is told so, and the drain goes on without the cordon and ends with 0; that right is therefore taken away together with the other.",
			Level:     requirement.Simulated, Needs: simulation, Limit: limit.PodReady.For + limit.PodGone.For,
		},
		{
			ID: "DRN-18", Doc: evicting, Source: evictApp, Remedy: lookAtControl,
			Statement: "A Pod that is evicted gets SIGTERM and its grace period.",
			Level:     requirement.Node, Needs: []requirement.Capability{requirement.LentNode}, Limit: limit.PodReady.For + limit.PodGone.For,
		},
		{
			ID: "DRN-20", Doc: daemons, Source: "pkg/controller/daemon/util/daemonset_util.go AddOrUpdateDaemonPodTolerations", Remedy: lookAtControl,
			Statement: "On a real node too, a DaemonSet's Pod that is deleted under a cordon comes back.",
			Level:     requirement.Node, Needs: []requirement.Capability{requirement.LentNode}, Limit: limit.PodGone.For + limit.PodReady.For,
		},
		{
			ID: "DRN-21", Doc: draining, Source: filters, Remedy: lookAtKubectl,
			Statement: "On a real node too, a drain refuses a DaemonSet's Pods without --ignore-daemonsets, and with it leaves them alone and evicts the others.",
			Level:     requirement.Node, Needs: []requirement.Capability{requirement.LentNode}, Limit: limit.PodReady.For + limit.PodGone.For,
		},
	},
}
