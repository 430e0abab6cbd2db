package qos

import (
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
)

// Where the documentation speaks of classes.
const (
	guaranteed = "concepts/workloads/pods/pod-qos/#guaranteed"
	burstable  = "concepts/workloads/pods/pod-qos/#burstable"
	bestEffort = "concepts/workloads/pods/pod-qos/#besteffort"
	copied     = "concepts/configuration/manage-resources-containers/#requests-and-limits"
	podLevel   = "concepts/workloads/pods/pod-qos/#guaranteed"
	eviction   = "concepts/scheduling-eviction/node-pressure-eviction/#pod-selection-for-kubelet-eviction"
)

// Area is what a Pod's Quality of Service class depends on.
var Area = requirement.Area{
	Name:  "qos",
	Title: "Quality of Service class and the order of eviction",
	Requirements: []requirement.Requirement{
		class("QOS-01", bestEffort, "A Pod of whose containers none has a CPU or memory request or limit is BestEffort."),
		class("QOS-02", guaranteed, "A Pod is Guaranteed when each of its containers has CPU and memory requests that equal its limits."),
		requirement.Noted(class("QOS-03", copied, "A container that names a limit and no request gets the limit as its request, so limits alone make a Pod Guaranteed."),
			"The class page asks for a request and a limit; that the request may be left out follows from the page on container resources."),
		class("QOS-04", burstable, "A Pod with CPU and memory requests and without limits is Burstable."),
		class("QOS-05", burstable, "A Pod whose requests are below its limits is Burstable."),
		class("QOS-06", burstable, "A Pod that names CPU alone is Burstable even when request and limit are equal."),
		class("QOS-07", burstable, "A Pod that names memory alone is Burstable even when request and limit are equal."),
		class("QOS-08", burstable, "A Pod whose CPU request equals its limit and whose memory request does not is Burstable."),
		requirement.Noted(class("QOS-09", burstable, "One container without resources makes an otherwise Guaranteed Pod Burstable, not BestEffort."),
			"It is a common belief that the least demanding container decides the class. The criteria ask about every container."),
		class("QOS-10", burstable, "A Pod is Burstable as soon as one of its containers has a CPU or memory request or limit."),
		class("QOS-11", guaranteed, "An init container counts as a container: without resources it makes an otherwise Guaranteed Pod Burstable."),
		requirement.From("1.29", class("QOS-12", "concepts/workloads/pods/sidecar-containers/#resource-sharing-within-containers",
			"A sidecar counts as a container: without resources it makes an otherwise Guaranteed Pod Burstable.")),
		class("QOS-13", guaranteed, "A Pod is Guaranteed when requests equal limits within each container, with different numbers in each."),
		class("QOS-14", burstable, "A request of an init container alone makes a Pod Burstable."),
		class("QOS-15", bestEffort, "Requests and limits for ephemeral storage do not count: a Pod that names nothing else is BestEffort."),
		class("QOS-16", bestEffort, "Requests for extended resources do not count: a Pod that names nothing else is BestEffort."),
		class("QOS-17", guaranteed, "A request for ephemeral storage without a limit does not take the class Guaranteed from a Pod."),
		requirement.Noted(class("QOS-18", bestEffort, "A quantity of zero counts as none: a Pod whose requests and limits are all zero is BestEffort."),
			"The page says nothing about zeros; the release treats them as absent."),
		class("QOS-19", guaranteed, "Requests and limits are compared as quantities, so 1 equals 1000m and 1Gi equals 1024Mi."),
		ofPod(class("QOS-20", podLevel, "A Pod whose own CPU and memory requests equal its limits is Guaranteed, whatever its containers name.")),
		ofPod(class("QOS-21", podLevel, "A Pod that itself names CPU and memory limits only is Guaranteed, because its requests follow from the limits.")),
		ofPod(class("QOS-22", burstable, "A Pod that itself names requests only is Burstable.")),
		requirement.Noted(requirement.From("1.37", ofPod(class("QOS-23", podLevel, "Empty resources of the Pod itself are ignored, so that its containers decide the class."))),
			"Before 1.37 they made the Pod BestEffort: https://github.com/kubernetes/kubernetes/pull/137150."),
		{
			ID:        "QOS-24",
			Statement: "A Pod keeps the class that it got when it was created, also when an ephemeral container is added.",
			Doc:       "tasks/configure-pod-container/quality-service-pod/",
			Source:    "pkg/registry/core/pod/strategy.go podEphemeralContainersStrategy; pkg/apis/core/v1/helper/qos/qos.go ComputePodQOS",
			Since:     "1.25",
			Level:     requirement.API,
			Limit:     limit.Namespace.For,
			Remedy:    "Look for a webhook or controller that rewrites the status of Pods, or an API server that is not stock Kubernetes.",
			Note:      "Ephemeral containers cannot name resources. The Pod of this check has no scheduler and never starts.",
		},
		{
			ID:        "QOS-25",
			Statement: "The class follows from the Pod as admission leaves it: a LimitRange that gives every container limits makes a Pod that asked for nothing Guaranteed.",
			Doc:       "concepts/policy/limit-range/",
			Source:    "plugin/pkg/admission/limitranger/admission.go PodMutateLimitFunc; pkg/registry/core/pod/strategy.go PrepareForCreate",
			Level:     requirement.API,
			Limit:     limit.Namespace.For,
			Remedy:    "Check that the LimitRanger admission plugin is on, and whether another plugin or webhook sets resources after it.",
		},
		{
			ID:        "QOS-26",
			Statement: "Resizing a Pod in place is refused when it would change the Pod's class.",
			Doc:       "tasks/configure-pod-container/resize-container-resources/#limitations",
			Source:    "pkg/apis/core/validation/validation.go ValidatePodResize",
			Since:     "1.35",
			Level:     requirement.API,
			Limit:     limit.Namespace.For,
			Remedy:    "Look at the feature gates of the API server (InPlacePodVerticalScaling) and at webhooks on pods/resize.",
		},
		destructive("QOS-30", eviction,
			"Under memory pressure the kubelet first evicts Pods whose usage exceeds their request, then by priority, then by how far usage exceeds the request.",
			"pkg/kubelet/eviction/helpers.go rankMemoryPressure",
			"It is a common belief that the class decides the order. The page says that the kubelet does not use the class for it."),
		destructive("QOS-31", eviction,
			"Under disk pressure the kubelet ranks Pods as under memory pressure, by ephemeral storage; for inodes and process IDs, which have no requests, priority decides.",
			"pkg/kubelet/eviction/helpers.go rankDiskPressureFunc, rankPIDPressure", ""),
		destructive("QOS-32", "concepts/scheduling-eviction/node-pressure-eviction/#node-conditions",
			"A kubelet under memory pressure admits no new BestEffort Pod that does not tolerate it, and one under disk or process pressure admits only critical Pods.",
			"pkg/kubelet/eviction/eviction_manager.go Admit",
			"The page on DaemonSets says that their Pods can be scheduled onto nodes with disk or process pressure. They can, and the kubelet then refuses them."),
		{
			ID:        "QOS-33",
			Statement: "The kubelet sets a container's oom_score_adj by class: -997 for Guaranteed, 1000 for BestEffort, between 2 and 999 for Burstable.",
			Doc:       "concepts/scheduling-eviction/node-pressure-eviction/#node-out-of-memory-behavior",
			Source:    "pkg/kubelet/qos/policy.go GetContainerOOMScoreAdjust",
			Level:     requirement.Namespace,
			Remedy:    "Compare the kubelet's version and the container runtime's configuration on the node.",
			Unchecked: "a runtime without the right to lower it, such as one in a container of its own, leaves it out, and that says nothing about the kubelet",
		},
		destructive("QOS-34", "tasks/administer-cluster/guaranteed-scheduling-critical-addon-pods/",
			"A Pod of priority system-node-critical or system-cluster-critical is admitted to a node under pressure, if need be by evicting others.",
			"pkg/kubelet/preemption/preemption.go HandleAdmissionFailure", ""),
	},
}

// class is a requirement about the class of a Pod that is created.
func class(id, doc, statement string) requirement.Requirement {
	return requirement.Requirement{
		ID: id, Statement: statement, Doc: doc,
		Source: "pkg/apis/core/v1/helper/qos/qos.go ComputePodQOS",
		Level:  requirement.API,
		Limit:  limit.Namespace.For,
		Remedy: "The API server computes the class itself: look for webhooks and LimitRanges that change Pods, then at the API server's version and feature gates.",
	}
}

// ofPod is about resources of a whole Pod.
func ofPod(r requirement.Requirement) requirement.Requirement {
	r.Needs = append(r.Needs, requirement.PodLevelResources)
	if r.Since == "" {
		r.Since = "1.34"
	}
	return r
}

// destructive is a requirement that is documented and never tried: a node would
// have to be brought under pressure, which no Lease can fence in.
func destructive(id, doc, statement, source, note string) requirement.Requirement {
	return requirement.Requirement{
		ID: id, Statement: statement, Doc: doc, Source: source, Note: note,
		Level:     requirement.Outage,
		Remedy:    "Compare the kubelet's eviction settings (evictionHard, evictionSoft) and the priorities of the Pods on the node.",
		Unchecked: "a node would have to be brought under pressure, which also hits Pods that are not rollcall's",
	}
}
