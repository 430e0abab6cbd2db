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
	lookAtControl = "Read the log of kube-controller-manager (is one leading?), and look for webhooks that change nodes or Pods."
)

// Why no spec checks a requirement yet.
const planned = "planned: needs a PodDisruptionBudget and Pods behind a controller on the node"

var simulation = []requirement.Capability{requirement.NodeObjects}

// Area is the area's requirements.
var Area = requirement.Area{
	Name:  "drain",
	Title: "Cordon, drain and uncordon",
	Requirements: []requirement.Requirement{
		{
			ID: "DRN-01", Doc: cordoning, Source: taints, Remedy: lookAtControl,
			Statement: "A cordoned node is unschedulable and tainted so: new ordinary Pods keep away, running ones stay.",
			Level:     requirement.Simulated, Needs: simulation, Limit: limit.Status.For + limit.Placement.For,
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
			ID: "DRN-08", Doc: drainRef, Source: filters, Remedy: lookAtKubectl, Level: requirement.Simulated,
			Statement: "A drain passes mirror Pods over without a word.",
			Unchecked: "planned: a mirror Pod is created by its node, whose identity a simulated one lacks",
		},
		{
			ID: "DRN-09", Doc: drainRef, Source: filters, Remedy: lookAtKubectl, Level: requirement.Simulated,
			Statement: "A drain evicts finished Pods whatever controls them.", Unchecked: planned,
		},
		{
			ID: "DRN-10", Doc: drainRef, Source: filters, Remedy: lookAtKubectl, Level: requirement.Simulated,
			Statement: "A Pod whose DaemonSet is gone is evicted with --force only.", Unchecked: planned,
		},
		{
			ID: "DRN-11", Doc: evicting, Source: evictApp, Remedy: "Read the status of the PodDisruptionBudget that the message names.",
			Statement: "A drain does not evict a Pod whose PodDisruptionBudget is used up: it tries again until its --timeout is over.",
			Level:     requirement.Simulated, Unchecked: planned,
		},
		{
			ID: "DRN-12", Doc: disrupting, Source: "pkg/controller/disruption/disruption.go", Remedy: "Give the PodDisruptionBudget minAvailable as a number.",
			Statement: "A PodDisruptionBudget with maxUnavailable or a percentage that selects a DaemonSet's Pods allows no eviction.",
			Level:     requirement.Simulated, Unchecked: planned,
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
			ID: "DRN-17", Doc: draining, Source: command, Remedy: "Give the caller the rights that 'rollcall manifests --level node' prints.",
			Statement: "A drain needs the rights to get and patch nodes, to list and get Pods, to create evictions and to get DaemonSets.",
			Level:     requirement.Simulated, Unchecked: "planned: preflight asks for these rights; a drain without one of them needs an identity of its own",
		},
		{
			ID: "DRN-18", Doc: evicting, Source: evictApp, Remedy: lookAtControl, Level: requirement.Node,
			Statement: "A Pod that is evicted gets SIGTERM and its grace period.",
			Unchecked: "planned: needs a kubelet on a lent node",
		},
		{
			ID: "DRN-20", Doc: daemons, Source: "pkg/controller/daemon/util/daemonset_util.go AddOrUpdateDaemonPodTolerations", Remedy: lookAtControl,
			Statement: "On a real node too, a DaemonSet's Pod that is deleted under a cordon comes back.",
			Level:     requirement.Node, Needs: []requirement.Capability{requirement.LentNode}, Limit: limit.PodGone.For + limit.PodReady.For,
		},
	},
}
