package nodes

import (
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
)

// Where the documentation speaks of the state of nodes.
const (
	byCondition = "concepts/scheduling-eviction/taint-and-toleration/#taint-nodes-by-condition"
	conditions  = "reference/node/node-status/#condition"
	heartbeat   = "reference/node/node-status/#heartbeats"
	controller  = "concepts/architecture/nodes/#node-controller"
	rates       = "concepts/architecture/nodes/#rate-limits-on-eviction"
	shutdown    = "concepts/cluster-administration/node-shutdown/#non-graceful-node-shutdown"
)

// The code that keeps the promises.
const (
	nlc       = "pkg/controller/nodelifecycle/node_lifecycle_controller.go "
	tainting  = nlc + "nodeConditionToTaintKeyStatusMap, doNoScheduleTaintingPass, doNoExecuteTaintingPass; plugin/pkg/admission/nodetaint"
	health    = nlc + "tryUpdateNodeHealth, monitorNodeHealth"
	collector = "pkg/controller/podgc/gc_controller.go gcTerminating"
	manages   = "pkg/controller/daemon/daemon_controller.go podsShouldBeOnNode"
)

// What an operator should look at.
const (
	lookAtLifecycle = "Read the log of kube-controller-manager's node-lifecycle controller, and look for another controller that sets or removes taints of nodes."
	lookAtEvictor   = "Look for a controller or a script that evicts Pods: the control plane does not do so for this."
	lookAtPodGC     = "Read the log of kube-controller-manager's Pod garbage collector."
)

var simulation = []requirement.Capability{requirement.NodeObjects}

// Area is who sets which taint on a node, and what follows from it.
var Area = requirement.Area{
	Name:  "nodes",
	Title: "Conditions and taints of nodes, and the Pods on nodes in trouble",
	Requirements: []requirement.Requirement{
		{
			ID: "NODE-01", Doc: byCondition, Source: tainting, Remedy: lookAtLifecycle,
			Statement: "Each condition of a node in trouble becomes its taint and goes with it: not-ready and unreachable with NoSchedule and NoExecute; memory-pressure, disk-pressure, pid-pressure, network-unavailable and unschedulable with NoSchedule; a new node is created with not-ready.",
			Level:     requirement.Simulated, Needs: simulation, Limit: limit.Silence.For + limit.Status.For,
			Note: "The taint uninitialized is left out: only a kubelet that is told of an external cloud provider sets it. How soon a taint comes is not promised; it was seen within 6 s.",
		},
		{
			ID: "NODE-02", Doc: byCondition, Source: tainting, Remedy: lookAtEvictor,
			Statement: "Pressure on a node keeps new Pods away and evicts none of those that run there: that is the kubelet's business.",
			Level:     requirement.Simulated, Needs: simulation, Limit: limit.Placement.For + 2*limit.PodReady.For,
			Note: "A real kubelet under pressure evicts by rules of its own; a simulated node has none, so what is seen is the control plane's part.",
		},
		{
			ID: "NODE-03", Doc: controller, Source: health, Remedy: lookAtLifecycle,
			Statement: "The Pods of a node that falls silent are marked as not Ready; those of a node that itself says that it is not Ready stay as they are.",
			Level:     requirement.Simulated, Needs: simulation, Limit: limit.PodReady.For + limit.Silence.For,
			Note: "The page names the first half. A kubelet that still answers reports the state of its Pods itself.",
		},
		{
			ID: "NODE-04", Doc: heartbeat, Source: health, Remedy: "Compare the clocks of kubelet and control plane, and read the kubelet's log about its Lease and status.",
			Statement: "Either form of heartbeat keeps a node Ready: the renewal of its Lease, or an update of its status.",
			Level:     requirement.Simulated, Needs: simulation, Limit: limit.Silence.For,
		},
		{
			ID: "NODE-05", Doc: byCondition, Source: health, Remedy: lookAtLifecycle,
			Statement: "A node that is back loses the taints of its trouble, and a DaemonSet's Pod on it is Ready again, the same one.",
			Level:     requirement.Simulated, Needs: simulation, Limit: limit.PodReady.For + limit.Silence.For + limit.Status.For,
		},
		{
			ID: "NODE-06", Doc: rates, Source: nlc + "handleDisruption, setLimiterInZone", Remedy: lookAtLifecycle,
			Statement: "Pods are not evicted from more than 1 node in 10 seconds, from fewer in a zone that is disrupted, and from none if all zones are.",
			Level:     requirement.Outage,
			Note:      "Each simulated node is left out of the judgement about its zone, and those of a spec form a region of their own, so that they do not use up the rate of real nodes.",
			Unchecked: "the rates are flags of kube-controller-manager that no client can read, and a disrupted zone would take most of the cluster's nodes down",
		},
		{
			ID: "NODE-07", Doc: shutdown, Source: collector, Since: "1.28", Remedy: lookAtPodGC,
			Statement: "Pods that are being deleted on a node that is not Ready are removed by force once it carries the taint out-of-service.",
			Level:     requirement.Simulated, Needs: simulation, Limit: limit.PodReady.For + limit.Swept.For,
			Note: "That volumes are detached at once cannot be seen without a storage driver.",
		},
		{
			ID: "NODE-08", Doc: conditions, Source: manages, Remedy: lookAtLifecycle,
			Statement: "A Pod that is deleted on an unreachable node stays Terminating, and its DaemonSet makes no other one there, until the node is back.",
			Level:     requirement.Simulated, Needs: simulation, Limit: limit.PodReady.For + limit.Silence.For + limit.PodGone.For,
			Note: "A deletion with no grace period releases the Pod too, without a word from the node.",
		},
	},
}
