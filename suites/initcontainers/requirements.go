package initcontainers

import (
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

// Where the documentation speaks of init containers.
const (
	understanding = "concepts/workloads/pods/init-containers/#understanding-init-containers"
	differences   = "concepts/workloads/pods/init-containers/#differences-from-regular-containers"
	using         = "concepts/workloads/pods/init-containers/#using-init-containers"
	behavior      = "concepts/workloads/pods/init-containers/#detailed-behavior"
	resources     = "concepts/workloads/pods/init-containers/#resource-sharing-within-containers"
	podRestart    = "concepts/workloads/pods/init-containers/#pod-restart-reasons"
	restartPolicy = "concepts/workloads/pods/pod-lifecycle/#restart-policy"
	terminated    = "concepts/workloads/pods/pod-lifecycle/#container-state-terminated"
	emptyDir      = "concepts/storage/volumes/#emptydir"
)

// What implements the promises, below k8s.io/kubernetes.
const (
	actions    = "pkg/kubelet/kuberuntime/kuberuntime_container.go computeInitContainerActions"
	phases     = "pkg/kubelet/kubelet_pods.go getPhase; pkg/kubelet/status/generate.go GeneratePodInitializedCondition"
	statuses   = "pkg/kubelet/kubelet_pods.go convertToAPIContainerStatuses"
	backOff    = "pkg/kubelet/kuberuntime/kuberuntime_manager.go doBackOff"
	emptyDirs  = "pkg/volume/emptydir/empty_dir.go"
	validating = "pkg/apis/core/validation/validation.go validateInitContainers"
)

// What an operator should look at.
const (
	lookAtKubelet = "Read the kubelet's log on the node that the evidence names, and make sure that kubelet and container runtime are unmodified and of supported versions."
	lookAtRuntime = "Compare the container runtime's own record (crictl inspect) with the Pod's status on the node that the evidence names; upgrade the runtime if they differ."
	lookAtVolumes = "Look on the node for whatever clears or keeps directories below the kubelet's pods directory, such as clean-up jobs, and read the kubelet's log."
	lookAtWebhook = "Look for a mutating webhook that changes Pods, or an API server that is not stock Kubernetes."
)

// Area is what Kubernetes promises about init containers.
var Area = requirement.Area{
	Name:  "initcontainers",
	Title: "Init containers: order, waiting, failure and retry",
	Requirements: []requirement.Requirement{
		kubelet("INI-01", understanding, actions, limit.InitSequence,
			"Init containers run one after the other in the order of the spec, each only after the one before has succeeded."),
		kubelet("INI-02", understanding, actions, limit.InitSequence,
			"No app container starts before every init container has ended with code 0."),
		requirement.Noted(kubelet("INI-03", behavior, phases, limit.InitSequence,
			"While a Pod initializes its phase is Pending and its condition Initialized is false; it is not Ready before all init containers have succeeded."),
			"Older pages showed Initialized=true in this state; the release and the present page agree on false."),
		kubelet("INI-04", behavior, actions+"; "+backOff, limit.InitSequence,
			"With restartPolicy Always a failing init container is restarted again and again, and nothing after it starts."),
		kubelet("INI-05", behavior, actions+"; "+backOff, limit.InitSequence,
			"With restartPolicy OnFailure a failing init container is restarted again and again, and nothing after it starts."),
		kubelet("INI-06", understanding, actions+"; "+phases, limit.InitSequence,
			"With restartPolicy Never a Pod whose init container fails is Failed at once: no retry, no app container."),
		kubelet("INI-07", understanding, actions+"; "+backOff, limit.InitSequence,
			"An init container that fails and then succeeds is restarted just as often as it failed, and then the Pod goes on."),
		requirement.Noted(kubelet("INI-08", restartPolicy, backOff, limit.InitSequence,
			"The kubelet delays the restarts of a failing init container by 10 s, 20 s, 40 s and so on, up to 300 s."),
			"The first two delays are waited for; the first restart comes at once. A kubelet whose configuration lowers crashLoopBackOff.maxContainerRestartPeriod below 20 s breaks this by intent."),
		requirement.Noted(kubelet("INI-09", terminated, statuses, limit.InitSequence,
			"The status of an ended init container tells its exit code, a reason, and when it started and ended; SIGKILL shows as 137."),
			"That a signal shows as 128 plus its number is the runtimes' convention. The reason OOMKilled is not asked for: a runtime learns of it beside the exit, and a busy one says Error instead. Nor is it asked that the start be before the end: containerd notes the start of a container that lives for milliseconds after its end."),
		kubelet("INI-10", using, emptyDirs, limit.InitSequence,
			"Containers of a Pod share the files of a volume, and each has a root file system of its own."),
		kubelet("INI-11", emptyDir, emptyDirs, limit.InitSequence,
			"The files of an emptyDir outlive the restart of a container and are gone with the Pod."),
		requirement.Noted(kubelet("INI-12", podRestart, actions, limit.InitSequence,
			"When an app container is restarted, the init containers do not run again."),
			"The page lists what makes init containers run again; the restart of an app container is not on the list."),
		requirement.OnLentNode(kubelet("INI-13", podRestart, actions, limit.InitSequence,
			"When a Pod's sandbox is lost, all of its init containers run again, in order."), scene.LostSandbox),
		requirement.From("1.20", kubelet("INI-14", podRestart, actions, limit.InitSequence,
			"A new image for an init container that has completed does not restart the Pod.")),
		{
			ID:        "INI-15",
			Statement: "The API server refuses probes and lifecycle handlers of an init container that must run to completion, two containers of one name, and an unknown restart policy of a container.",
			Doc:       differences,
			Source:    validating,
			Level:     requirement.API,
			Limit:     limit.Namespace.For,
			Remedy:    lookAtWebhook,
			Note:      "Which restart policies other than Always an init container may have depends on the release and is not checked here.",
		},
		kubelet("INI-16", behavior, "pkg/kubelet/active_deadline.go", limit.Restart,
			"activeDeadlineSeconds counts the time of the init containers too: a Pod that still initializes then is Failed."),
		kubelet("INI-17", differences, "pkg/kubelet/kuberuntime/kuberuntime_container.go generateContainerConfig", limit.InitSequence,
			"Init containers support the fields of app containers: environment, volumes, downward API and a security context of their own."),
		requirement.NotChecked(requirement.Requirement{
			ID:        "INI-18",
			Statement: "A Pod is scheduled by the larger of its largest init request and the sum of its app requests.",
			Doc:       resources,
			Source:    "k8s.io/component-helpers resource/helpers.go PodRequests",
			Level:     requirement.API,
			Remedy:    lookAtWebhook,
		}, "it is part of the requirements on effective requests"),
		kubelet("INI-19", behavior, "k8s.io/endpointslice reconciler.go", limit.InitSequence,
			"A Pod that initializes is not a ready endpoint of its Service."),
		kubelet("INI-20", understanding, actions, limit.InitSequence,
			"Init containers keep order, waiting and phase in every Pod of a DaemonSet, on every node at the same time."),
		requirement.NotChecked(kubelet("INI-21", behavior, "pkg/kubelet/kubelet.go SyncPod", limit.InitSequence,
			"Init containers start only when the network and the storage of the Pod are ready."),
			"it takes a name service to ask, which not every cluster has"),
	},
}

// kubelet is a promise that the kubelet keeps, seen in real Pods.
func kubelet(id, doc, source string, within limit.Limit, statement string) requirement.Requirement {
	remedy := lookAtKubelet
	switch source {
	case statuses:
		remedy = lookAtRuntime
	case emptyDirs:
		remedy = lookAtVolumes
	}
	return requirement.Requirement{
		ID: id, Statement: statement, Doc: doc, Source: source,
		Level: requirement.Namespace, Limit: within.For, Remedy: remedy,
	}
}
