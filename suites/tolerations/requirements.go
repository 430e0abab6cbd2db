package tolerations

import (
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
)

// Where the documentation speaks of tolerations.
const (
	ofDaemonSets = "concepts/workloads/controllers/daemonset/#taints-and-tolerations"
	concepts     = "concepts/scheduling-eviction/taint-and-toleration/#concepts"
	evictions    = "concepts/scheduling-eviction/taint-and-toleration/#taint-based-evictions"
	byCondition  = "concepts/scheduling-eviction/taint-and-toleration/#taint-nodes-by-condition"
)

// The code that keeps the promises.
const (
	adds     = "pkg/controller/daemon/util/daemonset_util.go AddOrUpdateDaemonPodTolerations"
	places   = "pkg/controller/daemon/daemon_controller.go nodeShouldRunDaemonPod, predicates"
	evicts   = "pkg/controller/tainteviction/taint_eviction.go processPodOnNode, getMinTolerationTime"
	defaults = "plugin/pkg/admission/defaulttolerationseconds/admission.go Admit"
)

// What an operator should look at.
const (
	evictionHint   = "Read the log of kube-controller-manager about its taint-eviction controller: is it on, and is one kube-controller-manager leading?"
	controllerHint = "Compare kube-controller-manager's version with the API server's and look for admission plugins or policies that change tolerations of Pods."
)

// The ways in which releases are known to depart from the pages.
var (
	noMemoryToleration = requirement.Deviation{
		ID:    "KD-11",
		Seen:  "Only the admission plugin PodTolerationRestriction adds the toleration for memory pressure, and that is off by default.",
		Until: "1.37",
		Link:  "https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/#podtolerationrestriction",
	}
	firstTaintDecides = requirement.Deviation{
		ID:    "KD-12",
		Seen:  "Once a Pod is due to be evicted, nothing that comes later hastens that.",
		Until: "1.37",
		Link:  "https://github.com/kubernetes/kubernetes/issues/108982",
	}
)

var (
	simulation = []requirement.Capability{requirement.NodeObjects}
	loan       = []requirement.Capability{requirement.LentNode}
)

// Area is what Pods tolerate, and what happens to those that do not.
var Area = requirement.Area{
	Name:  "tolerations",
	Title: "Tolerations of DaemonSet Pods and of ordinary Pods",
	Requirements: []requirement.Requirement{
		{
			ID:        "TOL-01",
			Statement: "The DaemonSet controller adds six tolerations to every Pod, without a limit in time, and no others: not-ready and unreachable with NoExecute; disk-pressure, memory-pressure, pid-pressure and unschedulable with NoSchedule.",
			Doc:       ofDaemonSets,
			Source:    adds,
			Since:     "1.17",
			Level:     requirement.Namespace,
			Limit:     limit.Placement.For,
			Remedy:    controllerHint,
		},
		{
			ID:        "TOL-02",
			Statement: "A DaemonSet's Pods tolerate network-unavailable with NoSchedule if they use their node's network, and only then.",
			Doc:       ofDaemonSets,
			Source:    adds,
			Since:     "1.17",
			Level:     requirement.Namespace,
			Needs:     []requirement.Capability{requirement.HostNetwork},
			Limit:     2 * limit.Placement.For,
			Remedy:    controllerHint,
		},
		{
			ID:        "TOL-03",
			Statement: "There is no taint out-of-disk any more, and no DaemonSet Pod tolerates one.",
			Doc:       ofDaemonSets,
			Source:    adds,
			Since:     "1.17",
			Level:     requirement.Namespace,
			Limit:     limit.Placement.For,
			Remedy:    "Find who puts the taint on nodes or the toleration on Pods: an old controller-manager, a script, an admission policy.",
			Note:      "Older texts still list it. The page names the taints that exist; this one was removed with the node condition OutOfDisk.",
		},
		{
			ID:        "TOL-04",
			Statement: "A DaemonSet's Pod is created on a node that is not Ready only if its template tolerates not-ready with NoSchedule.",
			Doc:       ofDaemonSets,
			Source:    adds + "; " + places,
			Level:     requirement.Simulated,
			Needs:     simulation,
			Limit:     2 * limit.PodReady.For,
			Remedy:    "Give a DaemonSet that must run before the node is Ready, such as a network plugin, a toleration for not-ready:NoSchedule or for every taint.",
			Note:      "The page says that DaemonSet Pods can be scheduled onto nodes that are not ready. The automatic toleration covers NoExecute only, and such a node carries NoSchedule too.",
		},
		{
			ID:        "TOL-05",
			Statement: "DaemonSet Pods tolerate not-ready and unreachable with NoExecute for ever, even if the template names a number of seconds.",
			Doc:       evictions,
			Source:    adds,
			Since:     "1.18",
			Level:     requirement.Namespace,
			Limit:     limit.Placement.For,
			Remedy:    "Look for an admission webhook or policy that sets tolerationSeconds on Pods: with it, DaemonSet Pods are evicted from nodes in trouble.",
			Note:      "See https://github.com/kubernetes/kubernetes/issues/92960.",
		},
		{
			ID:        "TOL-06",
			Statement: "A Pod that says nothing about it tolerates not-ready and unreachable with NoExecute for 300 seconds.",
			Doc:       evictions,
			Source:    defaults,
			Since:     "1.18",
			Level:     requirement.API,
			Limit:     2 * limit.Call.For,
			Remedy:    "Check that the API server's admission plugin DefaultTolerationSeconds is on and that no webhook takes the tolerations away.",
			Note:      "The number is the default of --default-not-ready-toleration-seconds and --default-unreachable-toleration-seconds; another one is evidence and no failure.",
		},
		{
			ID:        "TOL-07",
			Statement: "A NoExecute taint that it does not tolerate evicts a DaemonSet's Pod at once, and no new one comes while the taint is there.",
			Doc:       evictions,
			Source:    evicts + "; " + places,
			Level:     requirement.Simulated,
			Needs:     simulation,
			Limit:     limit.PodReady.For + limit.PodGone.For,
			Remedy:    "Look at kube-controller-manager: its taint-eviction controller evicts, its DaemonSet controller keeps away.",
		},
		{
			ID:        "TOL-08",
			Statement: "A NoSchedule taint leaves a DaemonSet's running Pod alone; once that is deleted, no new one comes.",
			Doc:       concepts,
			Source:    places,
			Level:     requirement.Simulated,
			Needs:     simulation,
			Limit:     limit.PodReady.For + limit.PodGone.For,
			Remedy:    "Tolerate the taint in the DaemonSet's template, or take it off the node.",
		},
		{
			ID:        "TOL-09",
			Statement: "A node that is tainted against a DaemonSet is left out of desiredNumberScheduled, so that a DaemonSet reports itself complete while the node goes without.",
			Doc:       ofDaemonSets,
			Source:    "pkg/controller/daemon/daemon_controller.go updateDaemonSetStatus",
			Level:     requirement.Simulated,
			Needs:     simulation,
			Limit:     limit.PodReady.For + limit.PodGone.For,
			Remedy:    "Compare a DaemonSet's Pods with the list of nodes, not with its status.",
		},
		{
			ID:        "TOL-10",
			Statement: "A taint with the effect PreferNoSchedule does not keep a DaemonSet's Pod from a node.",
			Doc:       concepts,
			Source:    places,
			Level:     requirement.Simulated,
			Needs:     simulation,
			Limit:     limit.PodReady.For,
			Remedy:    controllerHint,
		},
		{
			ID:        "TOL-11",
			Statement: "A toleration matches a taint by key, effect and value: Exists ignores the value, an empty key with Exists matches every taint, an empty effect every effect.",
			Doc:       concepts,
			Source:    "staging/src/k8s.io/component-helpers/scheduling/corev1/helpers.go; k8s.io/api/core/v1 Toleration.ToleratesTaint",
			Level:     requirement.Simulated,
			Needs:     simulation,
			Limit:     limit.PodReady.For,
			Remedy:    controllerHint,
			Note:      "The operators Gt and Lt are behind the feature gate TaintTolerationComparisonOperators, which is off.",
		},
		{
			ID:        "TOL-12",
			Statement: "A Pod that tolerates a NoExecute taint for some seconds is evicted when they are over.",
			Doc:       concepts,
			Source:    evicts,
			Level:     requirement.Simulated,
			Needs:     simulation,
			Limit:     limit.PodReady.For + limit.PodGone.For,
			Remedy:    evictionHint,
		},
		{
			ID:        "TOL-13",
			Statement: "A Pod is not evicted if the NoExecute taint goes before the seconds that it tolerates it are over.",
			Doc:       concepts,
			Source:    "pkg/controller/tainteviction/taint_eviction.go handleNodeUpdate, cancelWorkWithEvent",
			Level:     requirement.Simulated,
			Needs:     simulation,
			Limit:     limit.PodReady.For + limit.PodGone.For,
			Remedy:    evictionHint,
		},
		{
			ID:        "TOL-14",
			Statement: "A NoExecute taint evicts a Pod at once if it is not tolerated, or tolerated for zero or fewer seconds.",
			Doc:       evictions,
			Source:    evicts,
			Level:     requirement.Simulated,
			Needs:     simulation,
			Limit:     limit.PodReady.For + limit.PodGone.For,
			Remedy:    evictionHint,
		},
		{
			ID:        "TOL-15",
			Statement: "Where several NoExecute taints are tolerated for some seconds each, the smallest number decides.",
			Doc:       evictions,
			Source:    evicts,
			Level:     requirement.Simulated,
			Needs:     simulation,
			Limit:     limit.PodReady.For + limit.PodGone.For,
			Remedy:    evictionHint,
			Note:      "The page speaks of one taint; the rule for several is the release's. They are there before the Pod is; TOL-23 is about one that comes later.",
		},
		{
			ID:        "TOL-16",
			Statement: "A toleration may name tolerationSeconds only with the effect NoExecute.",
			Doc:       concepts,
			Source:    "pkg/apis/core/validation/validation.go ValidateTolerations",
			Level:     requirement.API,
			Limit:     limit.Call.For,
			Remedy:    "The API server validates this itself: look for a webhook that changes tolerations before it does.",
		},
		{
			ID:        "TOL-17",
			Statement: "A DaemonSet whose template tolerates its node's NoExecute taint for some seconds only loops: its Pods are evicted and created again.",
			Doc:       evictions,
			Source:    evicts + "; " + places,
			Level:     requirement.Simulated,
			Needs:     simulation,
			Limit:     limit.PodReady.For + limit.PodGone.For,
			Remedy:    "Leave tolerationSeconds out of a DaemonSet's template.",
			Note:      "Not a defect of the release, but one of such a DaemonSet.",
		},
		{
			ID:         "TOL-18",
			Statement:  "Pods of the classes Guaranteed and Burstable tolerate memory pressure without being told to, BestEffort Pods do not.",
			Doc:        byCondition,
			Source:     "plugin/pkg/admission/podtolerationrestriction/admission.go Admit",
			Level:      requirement.API,
			Limit:      3 * limit.Call.For,
			Remedy:     "Name the toleration in the Pod where it is wanted.",
			Deviations: []requirement.Deviation{noMemoryToleration},
		},
		{
			ID:        "TOL-19",
			Statement: "Every DaemonSet of kube-system has a Ready Pod on every node of the roster that its own template lets it onto.",
			Doc:       ofDaemonSets,
			Source:    places,
			Level:     requirement.API,
			Limit:     limit.PodReady.For,
			Remedy:    "Look at the node first (is it Ready?), then at the DaemonSet's Pod for it and the Events about the DaemonSet.",
			Note:      "Read-only. A node whose taint keeps a DaemonSet away is evidence and no failure: compare it with what was meant.",
		},
		{
			ID:        "TOL-20",
			Statement: "On a real node too, a NoExecute taint evicts a DaemonSet's Pod and an ordinary one, and once it is gone the DaemonSet's comes back.",
			Doc:       evictions,
			Source:    evicts + "; " + places,
			Level:     requirement.Node,
			Needs:     loan,
			Limit:     2*limit.PodReady.For + limit.PodGone.For,
			Remedy:    evictionHint,
		},
		{
			ID:        "TOL-21",
			Statement: "On a real node too, a NoSchedule taint leaves a DaemonSet's Pod alone; once that is deleted, no other comes while the taint is there.",
			Doc:       concepts,
			Source:    places,
			Level:     requirement.Node,
			Needs:     loan,
			Limit:     2*limit.PodReady.For + limit.PodGone.For,
			Remedy:    "Tolerate the taint in the DaemonSet's template, or take it off the node.",
		},
		{
			ID:        "TOL-22",
			Statement: "A DaemonSet reports itself complete on the other nodes while a real node that is tainted against it goes without.",
			Doc:       ofDaemonSets,
			Source:    "pkg/controller/daemon/daemon_controller.go updateDaemonSetStatus",
			Level:     requirement.Node,
			Needs:     loan,
			Limit:     limit.PodReady.For + limit.PodGone.For,
			Remedy:    "Compare a DaemonSet's Pods with the list of nodes, not with its status.",
		},
		{
			ID:         "TOL-23",
			Statement:  "A Pod that tolerates a taint for some seconds is evicted when they are over, even if it was due to be evicted later for another taint.",
			Doc:        concepts,
			Source:     evicts,
			Level:      requirement.Simulated,
			Needs:      simulation,
			Limit:      limit.PodReady.For + limit.PodGone.For,
			Remedy:     "Take all NoExecute taints off the node and set them together, or delete the Pod.",
			Note:       "A node that was not Ready for a moment is enough: its Pods tolerate that for 300 seconds by default, and a taint that they tolerate for less then evicts none of them before.",
			Deviations: []requirement.Deviation{firstTaintDecides},
		},
	},
}
