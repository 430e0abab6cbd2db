package coverage

import (
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
)

// Where the documentation speaks of DaemonSets.
const (
	page        = "concepts/workloads/controllers/daemonset/"
	selecting   = page + "#running-pods-on-select-nodes"
	scheduling  = page + "#how-daemon-pods-are-scheduled"
	updating    = page + "#updating-a-daemonset"
	selectors   = page + "#pod-selector"
	template    = page + "#pod-template"
	tainted     = page + "#taints-and-tolerations"
	statusPage  = "reference/kubernetes-api/apps/daemon-set-v1/#DaemonSetStatus"
	owners      = "concepts/overview/working-with-objects/owners-dependents/"
	collection  = "concepts/architecture/garbage-collection/#cascading-deletion"
	podsOfNodes = "concepts/workloads/pods/pod-lifecycle/#pod-garbage-collection"
	spareBare   = page + "#bare-pods"
)

// The code that keeps the promises.
const (
	decides  = "pkg/controller/daemon/daemon_controller.go nodeShouldRunDaemonPod, predicates"
	manages  = "pkg/controller/daemon/daemon_controller.go podsShouldBeOnNode, syncNodes"
	counts   = "pkg/controller/daemon/daemon_controller.go updateDaemonSetStatus, storeDaemonSetStatus"
	reacts   = "pkg/controller/daemon/daemon_controller.go updateNode, syncNodeUpdate"
	labels   = "pkg/controller/daemon/util/daemonset_util.go CreatePodTemplate"
	aims     = "pkg/controller/daemon/util/daemonset_util.go ReplaceDaemonSetPodNodeNameNodeAffinity"
	claims   = "pkg/controller/controller_ref_manager.go ClaimPods"
	validate = "pkg/apis/apps/validation/validation.go ValidateDaemonSetSpec, ValidateDaemonSetUpdate"
	collects = "pkg/controller/garbagecollector/garbagecollector.go; pkg/controller/podgc/gc_controller.go"
)

// What an operator should look at.
const (
	lookAtController = "Read the log of kube-controller-manager (is one leading?) and the Events of the DaemonSet, and look for webhooks or policies that refuse or change Pods."
	lookAtNodes      = "Look at the Pod that is missing or not Ready: its Events, the taints and labels of its node, the kubelet's log."
	lookAtStatus     = "Compare the versions of kube-controller-manager and API server, and see that just one controller-manager leads: two would overwrite each other's status."
	lookAtServer     = "The API server validates this itself: look for a webhook that changes DaemonSets before it does, or an API server that is not stock Kubernetes."
	lookAtCollector  = "Read the log of kube-controller-manager's garbage collector: an API group that does not answer stops it for all objects."
)

// simulation is what a node of rollcall's own needs.
var simulation = []requirement.Capability{requirement.NodeObjects}

// Area is which nodes a DaemonSet covers, and how it tells.
var Area = requirement.Area{
	Name:  "coverage",
	Title: "DaemonSet coverage: which nodes, which Pods, which numbers",
	Requirements: []requirement.Requirement{
		{
			ID:        "COV-01",
			Statement: "A DaemonSet runs just one Ready Pod on every node that its selector and affinity match and whose taints it tolerates, and none elsewhere; its status says so.",
			Doc:       page,
			Source:    decides + "; " + manages,
			Level:     requirement.Namespace,
			Limit:     limit.PodReady.For,
			Remedy:    lookAtNodes,
		},
		{
			ID:        "COV-02",
			Statement: "With a nodeSelector, a DaemonSet has Pods on just the nodes that carry all its labels; where no node does, it wants none.",
			Doc:       selecting,
			Source:    decides,
			Level:     requirement.Namespace,
			Needs:     []requirement.Capability{requirement.TwoNodes},
			Limit:     limit.PodReady.For + limit.Placement.For,
			Remedy:    lookAtController,
		},
		{
			ID:        "COV-03",
			Statement: "With required node affinity, a DaemonSet has Pods on just the nodes that match any of its terms in all its expressions; preferred affinity restricts nothing.",
			Doc:       selecting,
			Source:    decides + "; k8s.io/component-helpers/scheduling/corev1/nodeaffinity GetRequiredNodeAffinity",
			Level:     requirement.Namespace,
			Needs:     []requirement.Capability{requirement.TwoNodes},
			Limit:     2 * limit.Placement.For,
			Remedy:    lookAtController,
			Note:      "The operators Gt and Lt need a label that is a number, which nodes do not carry by nature; they are left to simulated nodes. The Pods of this check are placed and never started.",
		},
		{
			ID:        "COV-04",
			Statement: "A DaemonSet whose template names a node has a Pod on that node only.",
			Doc:       "concepts/scheduling-eviction/assign-pod-node/#nodename",
			Source:    decides,
			Level:     requirement.Namespace,
			Needs:     []requirement.Capability{requirement.TwoNodes},
			Limit:     limit.PodReady.For + limit.Placement.For,
			Remedy:    lookAtController,
		},
		{
			ID:        "COV-05",
			Statement: "A node with a NoSchedule or NoExecute taint that the template does not tolerate gets no Pod and is not counted as desired.",
			Doc:       tainted,
			Source:    decides,
			Level:     requirement.Simulated,
			Needs:     simulation,
			Limit:     2 * limit.PodReady.For,
			Remedy:    lookAtController,
			Note:      "COV-01 sees this too where nodes of the roster are tainted.",
		},
		{
			ID:        "COV-06",
			Statement: "A node that joins gets its Pod without any change of the DaemonSet.",
			Doc:       page,
			Source:    "pkg/controller/daemon/daemon_controller.go addNode, syncNodeUpdate",
			Level:     requirement.Simulated,
			Needs:     simulation,
			Limit:     limit.Status.For + limit.PodReady.For,
			Remedy:    lookAtController,
			Note:      "A node joins with the taint not-ready:NoSchedule, so the Pod is created once the node is Ready, and serves once it is Ready itself.",
		},
		{
			ID:        "COV-07",
			Statement: "The Pod of a node that leaves is removed within about a minute.",
			Doc:       podsOfNodes,
			Source:    "pkg/controller/podgc/gc_controller.go gcOrphaned",
			Level:     requirement.Simulated,
			Needs:     simulation,
			Limit:     limit.Orphaned.For + limit.PodReady.For,
			Remedy:    "Read the log of kube-controller-manager's Pod garbage collector.",
		},
		{
			ID:        "COV-08",
			Statement: "A node that is deleted and created again under its name within 40 seconds keeps its Pod.",
			Doc:       podsOfNodes,
			Source:    "pkg/controller/podgc/gc_controller.go quarantineTime",
			Level:     requirement.Simulated,
			Needs:     simulation,
			Limit:     limit.Orphaned.For + limit.PodReady.For,
			Remedy:    "Read the log of kube-controller-manager's Pod garbage collector.",
			Note:      "The number is the release's; the page does not name it.",
		},
		{
			ID:         "COV-09",
			Statement:  "A Pod that was still waiting for a node that has left is deleted.",
			Doc:        page,
			Source:     "pkg/controller/daemon/daemon_controller.go getUnscheduledPodsWithoutNode",
			Level:      requirement.Simulated,
			Needs:      simulation,
			Limit:      limit.Placement.For + limit.Status.For,
			Remedy:     lookAtController,
			Deviations: []requirement.Deviation{unnoticedLeave},
		},
		{
			ID:         "COV-10",
			Statement:  "A node that loses the label that the DaemonSet selects loses its Pod promptly.",
			Doc:        updating,
			Source:     reacts,
			Level:      requirement.Simulated,
			Needs:      simulation,
			Limit:      limit.Placement.For + limit.PodReady.For,
			Remedy:     lookAtController,
			Deviations: []requirement.Deviation{waitsOnUnlabelled},
		},
		{
			ID:        "COV-11",
			Statement: "A node that gains the label that the DaemonSet selects gets a Pod promptly.",
			Doc:       updating,
			Source:    reacts,
			Level:     requirement.Simulated,
			Needs:     simulation,
			Limit:     limit.PodReady.For,
			Remedy:    lookAtController,
		},
		{
			ID:        "COV-12",
			Statement: "A node whose label moves from one DaemonSet to another ends with the Pod of the second only.",
			Doc:       updating,
			Source:    reacts,
			Level:     requirement.Simulated,
			Needs:     simulation,
			Limit:     limit.PodReady.For + limit.PodGone.For,
			Remedy:    lookAtController,
			Note:      "The move is not atomic: for a while the node may have both Pods or none.",
		},
		{
			ID:        "COV-13",
			Statement: "desiredNumberScheduled counts every eligible node, also while its Pod cannot be scheduled there.",
			Doc:       statusPage,
			Source:    counts,
			Level:     requirement.Namespace,
			Limit:     limit.Status.For,
			Remedy:    lookAtStatus,
		},
		{
			ID:        "COV-14",
			Statement: "currentNumberScheduled counts the eligible nodes for which there is a Pod, even one that is not bound yet.",
			Doc:       statusPage,
			Source:    counts,
			Level:     requirement.Namespace,
			Limit:     limit.Status.For,
			Remedy:    lookAtStatus,
			Note:      "The page says nodes that are running a Pod. A Pod counts as soon as it exists.",
		},
		{
			ID:         "COV-15",
			Statement:  "numberMisscheduled counts the nodes that have a Pod of the DaemonSet and should not.",
			Doc:        statusPage,
			Source:     counts,
			Level:      requirement.Simulated,
			Needs:      simulation,
			Limit:      limit.Status.For + limit.Placement.For,
			Remedy:     lookAtStatus,
			Deviations: []requirement.Deviation{staleCounts},
		},
		{
			ID:        "COV-16",
			Statement: "ready, available, unavailable and updated count nodes, each once, even while a node has two Pods.",
			Doc:       statusPage,
			Source:    counts,
			Since:     "1.25",
			Level:     requirement.Namespace,
			Limit:     limit.PodReady.For + limit.Rollout.For,
			Remedy:    lookAtStatus,
			Note:      "The page lets updated count nodes that run an updated Pod. While the old Pod is still there the release looks at that one, so the number lags behind.",
		},
		{
			ID:        "COV-17",
			Statement: "observedGeneration names the generation of the spec that the status is about; a change of the spec raises the generation, an annotation does not.",
			Doc:       statusPage,
			Source:    counts + "; pkg/registry/apps/daemonset/strategy.go PrepareForUpdate",
			Level:     requirement.API,
			Limit:     2*limit.Status.For + limit.Namespace.For,
			Remedy:    lookAtStatus,
		},
		{
			ID:        "COV-18",
			Statement: "A DaemonSet's status may carry conditions.",
			Doc:       statusPage,
			Source:    counts,
			Level:     requirement.Namespace,
			Remedy:    "Read the DaemonSet's Events: what goes wrong with its Pods is told there and nowhere else.",
			Note:      "The controller of the release writes none.",
			Unchecked: "nothing is promised that a check could find broken",
		},
		{
			ID:        "COV-19",
			Statement: "A DaemonSet's Pods are named after it: its name, a hyphen, cut to 58 characters, and five random ones.",
			Doc:       "reference/using-api/api-concepts/#generated-values",
			Source:    "pkg/controller/controller_utils.go GetPodFromTemplate; k8s.io/apiserver/pkg/storage/names SimpleNameGenerator",
			Level:     requirement.Namespace,
			Limit:     2 * limit.Placement.For,
			Remedy:    lookAtController,
			Note:      "A long name is cut, so a name is no safe way to find a DaemonSet's Pods: go by the owner's UID.",
		},
		{
			ID:        "COV-20",
			Statement: "A DaemonSet's Pods carry the label controller-revision-hash with the hash of their ControllerRevision.",
			Doc:       "tasks/manage-daemon/rollback-daemon-set/#understanding-daemonset-revisions",
			Source:    labels,
			Level:     requirement.Namespace,
			Limit:     limit.Placement.For,
			Remedy:    lookAtController,
			Note:      "The label pod-template-generation is deprecated; it is shown as evidence and not judged.",
		},
		{
			ID:        "COV-21",
			Statement: "A DaemonSet is the one owner of its Pods, named as their controller with its UID and as blocking its own deletion.",
			Doc:       owners,
			Source:    "pkg/controller/daemon/daemon_controller.go syncNodes; pkg/controller/controller_utils.go CreatePodsWithGenerateName",
			Level:     requirement.Namespace,
			Limit:     limit.Placement.For,
			Remedy:    lookAtController,
		},
		{
			ID:        "COV-22",
			Statement: "A node that stops being Ready keeps its Pod; if that is deleted, no new one comes until the node is Ready.",
			Doc:       tainted,
			Source:    decides,
			Level:     requirement.Simulated,
			Needs:     simulation,
			Limit:     limit.PodReady.For + limit.PodGone.For,
			Remedy:    "Do not take desired equal to ready for coverage: a node that is not Ready is left out of both.",
			Note:      "The page says that Pods can be scheduled onto nodes that are not ready: the toleration covers NoExecute only, and such a node carries NoSchedule too.",
		},
		{
			ID:        "COV-23",
			Statement: "Each Pod's required node affinity is replaced by the name of its node; nodeSelector and all other affinity stay the template's.",
			Doc:       scheduling,
			Source:    aims,
			Since:     "1.17",
			Level:     requirement.Namespace,
			Limit:     limit.PodReady.For,
			Remedy:    lookAtController,
		},
		{
			ID:        "COV-24",
			Statement: "The controller does not bind its Pods: the scheduler that the template names does, and where there is none they wait.",
			Doc:       scheduling,
			Source:    "pkg/controller/daemon/daemon_controller.go syncNodes; pkg/scheduler",
			Since:     "1.17",
			Level:     requirement.Namespace,
			Limit:     limit.PodReady.For + limit.Status.For,
			Remedy:    "Read the log of the scheduler, and look for a second controller or webhook that sets nodeName.",
		},
		{
			ID:        "COV-25",
			Statement: "A DaemonSet's Pod of higher priority takes the place of Pods of lower priority on its node; one of equal priority waits.",
			Doc:       scheduling,
			Source:    "pkg/scheduler/framework/preemption",
			Level:     requirement.Simulated,
			Needs:     simulation,
			Limit:     limit.PodReady.For + limit.PodGone.For,
			Remedy:    "Compare the PriorityClasses of the Pods on the node, and read the scheduler's log.",
			Note:      "The DaemonSet has the PriorityClass system-node-critical, so that no class of rollcall's own is needed; for the same reason preemptionPolicy Never is left out.",
		},
		{
			ID:        "COV-26",
			Statement: "Two Pods that ask for the same port of their node never share a node: the second waits, and its DaemonSet counts the node all the same.",
			Doc:       "reference/scheduling/config/#scheduling-plugins",
			Source:    "pkg/scheduler/framework/plugins/nodeports",
			Level:     requirement.Namespace,
			Needs:     []requirement.Capability{requirement.HostNetwork},
			Limit:     2*limit.Placement.For + limit.Status.For,
			Remedy:    "Read the scheduler's log, and see that its plugin NodePorts is on.",
		},
		{
			ID:        "COV-27",
			Statement: "A DaemonSet whose selector is empty or does not match its own template's labels is refused.",
			Doc:       selectors,
			Source:    validate,
			Level:     requirement.API,
			Limit:     limit.Namespace.For,
			Remedy:    lookAtServer,
		},
		{
			ID:        "COV-28",
			Statement: "A DaemonSet's selector cannot be changed.",
			Doc:       selectors,
			Source:    "pkg/registry/apps/daemonset/strategy.go ValidateUpdate",
			Level:     requirement.API,
			Limit:     limit.Namespace.For,
			Remedy:    lookAtServer,
		},
		{
			ID:        "COV-29",
			Statement: "A DaemonSet's template must have the restart policy Always and no active deadline.",
			Doc:       template,
			Source:    validate,
			Level:     requirement.API,
			Limit:     limit.Namespace.For,
			Remedy:    lookAtServer,
			Note:      "The page names the restart policy; the deadline is the release's.",
		},
		{
			ID:        "COV-30",
			Statement: "Where admission refuses its Pods, a DaemonSet is accepted all the same: it counts the nodes as unavailable, an Event FailedCreate tells why, and it recovers by itself once they are let in.",
			Doc:       "concepts/policy/resource-quotas/",
			Source:    "pkg/controller/daemon/daemon_controller.go syncNodes; pkg/controller/controller_utils.go createPods",
			Level:     requirement.Namespace,
			Limit:     limit.Status.For + limit.Retry.For,
			Remedy:    "Read the Event's message: a quota, a Pod Security level or a webhook refuses the Pods. If it does not recover, read the log of kube-controller-manager.",
		},
		{
			ID:        "COV-31",
			Statement: "A new DaemonSet adopts the Pods that its selector matches and that nobody controls, and does not replace those of its own template.",
			Doc:       updating,
			Source:    claims + "; pkg/controller/daemon/update.go constructHistory",
			Level:     requirement.Namespace,
			Limit:     limit.Collected.For + 2*limit.Placement.For,
			Remedy:    lookAtController,
		},
		{
			ID:        "COV-32",
			Statement: "A Pod whose labels no longer match is let go: it runs on without an owner, and another Pod takes its place on the node.",
			Doc:       selectors,
			Source:    claims,
			Level:     requirement.Namespace,
			Limit:     2 * limit.Placement.For,
			Remedy:    lookAtController,
			Note:      "The page warns that a change of the selector would orphan Pods; a change of a Pod's labels does the same.",
		},
		{
			ID:        "COV-33",
			Statement: "Deleting a DaemonSet deletes its Pods; in the foreground it stays until they are gone, and with orphan they and their revisions stay and lose their owner.",
			Doc:       collection,
			Source:    collects,
			Level:     requirement.Namespace,
			Limit:     limit.PodReady.For + limit.Collected.For,
			Remedy:    lookAtCollector,
		},
		{
			ID:        "COV-34",
			Statement: "A Pod that is deleted is replaced on the same node by a new one, which is created only once the old one has ended; the other nodes' Pods stay.",
			Doc:       spareBare,
			Source:    manages + ", getNodesToDaemonPods",
			Level:     requirement.Namespace,
			Limit:     2*limit.PodReady.For + limit.PodGone.For,
			Remedy:    lookAtController,
			Note:      "Ended is not gone: the new Pod may be created when the old one's containers have all ended and its object is still there.",
		},
		{
			ID:        "COV-35",
			Statement: "A Pod that has failed is deleted and replaced, and an Event FailedDaemonPod tells of it.",
			Doc:       spareBare,
			Source:    manages,
			Level:     requirement.Namespace,
			Limit:     limit.Placement.For,
			Remedy:    lookAtController,
			Note:      "The Pod of this check fails because it asks for more than its node has and names the node itself, so that the kubelet refuses it. Replacements come ever more slowly, up to 15 minutes apart.",
		},
		{
			ID:        "COV-36",
			Statement: "A Pod that another object controls is left alone, even if the selector matches it.",
			Doc:       owners,
			Source:    claims,
			Level:     requirement.Namespace,
			Limit:     limit.Placement.For,
			Remedy:    lookAtController,
		},
		{
			ID:        "COV-37",
			Statement: "Two DaemonSets whose selectors match each other's Pods each keep their own.",
			Doc:       selectors,
			Source:    claims,
			Level:     requirement.Namespace,
			Limit:     2 * limit.Placement.For,
			Remedy:    lookAtController,
			Note:      "Documented as unwise rather than as defined; owner references settle it.",
		},
		{
			ID:        "COV-38",
			Statement: "A DaemonSet has no scale: its size is that of the cluster.",
			Doc:       "reference/kubernetes-api/apps/daemon-set-v1/#Operations",
			Source:    "pkg/registry/apps/rest/storage_apps.go",
			Level:     requirement.API,
			Limit:     limit.Call.For,
			Remedy:    lookAtServer,
			Note:      "A PodDisruptionBudget with a percentage or maxUnavailable therefore cannot be worked out for DaemonSet Pods.",
		},
		{
			ID:        "COV-39",
			Statement: "Nodes without a kubelet of their own, and Windows nodes, are no different to the DaemonSet controller.",
			Doc:       page,
			Source:    decides,
			Level:     requirement.Simulated,
			Needs:     simulation,
			Limit:     2 * limit.PodReady.For,
			Remedy:    "Give DaemonSets that need Linux the nodeSelector kubernetes.io/os=linux.",
			Note:      "rollcall leaves such nodes off the roster and says why; they can turn no other spec red.",
		},
		{
			ID:        "COV-40",
			Statement: "Without surge, an update never leads to two live Pods of a DaemonSet on one node.",
			Doc:       "tasks/manage-daemon/update-daemon-set/#daemonset-update-strategy",
			Source:    manages + "; pkg/controller/daemon/update.go rollingUpdate",
			Level:     requirement.Namespace,
			Limit:     limit.PodReady.For + limit.Rollout.For,
			Remedy:    lookAtController,
			Note:      "This is about Pod objects. A partitioned node or a forced deletion may still leave two running: https://github.com/kubernetes/kubernetes/issues/54096. Before 1.36 a stale cache may cause a short double.",
		},
	},
}
