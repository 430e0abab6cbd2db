package resources

import (
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
)

// Where the documentation speaks of effective requests.
const (
	ofSidecars = "concepts/workloads/pods/sidecar-containers/#resource-sharing-within-containers"
	// keepSidecars is the enhancement proposal, which alone tells the rule in full.
	keepSidecars = "https://github.com/kubernetes/enhancements/tree/master/keps/sig-node/753-sidecar-containers#resources-calculation-for-scheduling-and-pod-admission"
	ofInit       = "concepts/workloads/pods/init-containers/#resource-sharing-within-containers"
	ofPods       = "concepts/configuration/manage-resources-containers/#pod-level-resource-specification"
	overhead     = "concepts/scheduling-eviction/pod-overhead/"
	limitRange   = "concepts/policy/limit-range/"
	daemonSets   = "concepts/workloads/controllers/daemonset/#how-daemon-pods-are-scheduled"
)

// aggregate is what adds up requests and limits, for the scheduler, the kubelet
// and quotas alike.
const aggregate = "k8s.io/component-helpers resource/helpers.go PodRequests, PodLimits; pkg/quota/v1/evaluator/core/pods.go PodUsageFunc"

// Area is what a Pod asks for as a whole.
var Area = requirement.Area{
	Name:  "resources",
	Title: "Effective requests of Pods with init containers and sidecars",
	Requirements: []requirement.Requirement{
		requirement.Noted(counted("RES-01", "1.29", ofSidecars,
			"A Pod asks for the larger of what its app containers and sidecars ask for together and what the most demanding moment of its initialization takes, for each resource by itself."),
			"The overhead of a RuntimeClass comes on top, see RES-06."),
		requirement.Noted(counted("RES-02", "1.29", keepSidecars,
			"A sidecar adds to the request of the init containers after it and not of those before it, so their order decides what the Pod asks for."),
			"This is the rule of the enhancement proposal and of the release, in scheduler, kubelet and quota alike. The page on sidecars leaves the order out and takes the largest init container by itself: https://github.com/kubernetes/website/issues/57244."),
		counted("RES-03", "", ofInit,
			"Init containers do not add up: of those that run one after the other the largest request counts."),
		counted("RES-04", "1.29", ofSidecars,
			"The limit of a Pod as a whole is made from the limits of its containers by the same rule as its request."),
		needsPodLevel(counted("RES-05", "1.34", ofPods,
			"Resources that the Pod itself names take the place of what its containers add up to, for each resource that it names.")),
		{
			ID:        "RES-06",
			Statement: "The overhead that a RuntimeClass names is added to the request of a Pod that uses it.",
			Doc:       overhead,
			Source:    "plugin/pkg/admission/runtimeclass/admission.go; k8s.io/component-helpers resource/helpers.go PodRequests",
			Since:     "1.24",
			Level:     requirement.Node,
			Remedy:    "Look at the RuntimeClass's overhead and at the RuntimeClass admission plugin.",
			Unchecked: "only a RuntimeClass can give a Pod an overhead, and that is an object of the whole cluster, which a killed run would leave to others",
		},
		{
			ID:        "RES-07",
			Statement: "A DaemonSet's Pod that asks for more than its node has stays Pending and is counted as desired and current, also when only an init container asks for it.",
			Doc:       daemonSets,
			Source:    "pkg/scheduler/framework/plugins/noderesources/fit.go; pkg/controller/daemon/daemon_controller.go updateDaemonSetStatus",
			Level:     requirement.Namespace,
			Limit:     limit.PodReady.For,
			Remedy:    "Look for another scheduler than the default one, and whether it counts the requests of init containers.",
			Note:      "A large init request keeps a Pod away from nodes on which its app would fit for all of its life.",
		},
		{
			ID:        "RES-08",
			Statement: "The defaults of a LimitRange reach init containers and sidecars that name no resources, and count towards what the Pod asks for.",
			Doc:       limitRange,
			Source:    "plugin/pkg/admission/limitranger/admission.go mergePodResourceRequirements",
			Since:     "1.29",
			Level:     requirement.API,
			Limit:     limit.Status.For + limit.Recount.For,
			Remedy:    "Check that the LimitRanger admission plugin is on, and whether another plugin or webhook sets resources after it.",
		},
	},
}

// counted is a requirement that is seen in what a ResourceQuota counts.
func counted(id, since, doc, statement string) requirement.Requirement {
	return requirement.Requirement{
		ID: id, Statement: statement, Doc: doc, Source: aggregate, Since: since,
		Level:  requirement.API,
		Limit:  limit.Status.For + limit.Recount.For,
		Remedy: "API server, scheduler and kubelet use one formula: compare their versions and feature gates (SidecarContainers, PodLevelResources), and look for webhooks that change resources.",
	}
}

func needsPodLevel(r requirement.Requirement) requirement.Requirement {
	r.Needs = append(r.Needs, requirement.PodLevelResources)
	return r
}
