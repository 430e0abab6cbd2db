package sidecars

import (
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

// Where the documentation speaks of sidecars.
const (
	lifecycle    = "concepts/workloads/pods/sidecar-containers/#sidecar-containers-and-pod-lifecycle"
	differences  = "concepts/workloads/pods/sidecar-containers/#differences-from-application-containers"
	jobs         = "concepts/workloads/pods/sidecar-containers/#jobs-with-sidecar-containers"
	fromInit     = "concepts/workloads/pods/sidecar-containers/#differences-from-init-containers"
	termination  = "concepts/workloads/pods/pod-lifecycle/#termination-with-sidecars"
	podRestart   = "concepts/workloads/pods/init-containers/#pod-restart-reasons"
	restartRules = "concepts/workloads/pods/pod-lifecycle/#container-restart-rules"
)

// What implements the promises, below k8s.io/kubernetes.
const (
	actions    = "pkg/kubelet/kuberuntime/kuberuntime_container.go computeInitContainerActions"
	podActions = "pkg/kubelet/kuberuntime/kuberuntime_manager.go computePodActions"
	endings    = "pkg/kubelet/kuberuntime/kuberuntime_termination_order.go newTerminationOrdering, waitForTurn"
	phases     = "pkg/kubelet/kubelet_pods.go getPhase"
	readyPods  = "pkg/kubelet/status/generate.go GenerateContainersReadyCondition"
	validating = "pkg/apis/core/validation/validation.go validateInitContainers"
)

// Area is what Kubernetes promises about sidecars.
var Area = requirement.Area{
	Name:  "sidecars",
	Title: "Sidecars: start, readiness, restart and end",
	Requirements: []requirement.Requirement{
		kubelet("SID-01", lifecycle, actions, limit.InitSequence,
			"Sidecars start in the order of the init containers, and the next container starts once a sidecar has started, without waiting for it to end."),
		kubelet("SID-02", lifecycle, actions, limit.PodReady,
			"A sidecar with a startup probe has started only when that succeeds; a sidecar whose startup probe gives up is restarted, and nothing after it starts."),
		kubelet("SID-03", lifecycle, readyPods, limit.PodReady,
			"The readiness of a sidecar counts for the readiness of its Pod."),
		kubelet("SID-04", lifecycle, actions, limit.InitSequence,
			"A sidecar that ends is restarted, after initialization too and in a Pod with restartPolicy Never, and neither init containers nor app containers are."),
		requirement.Noted(kubelet("SID-04b", differences, podActions, limit.InitSequence,
			"An app container that crashes beside a running sidecar is restarted, and the init containers do not run again."),
			"Some patch releases of 1.35 and 1.36 leave the app down: https://github.com/kubernetes/kubernetes/pull/138514."),
		requirement.Noted(kubelet("SID-05", jobs, phases, limit.InitSequence,
			"A Pod whose app containers are done succeeds although its sidecars still ran, whatever codes those end with."),
			"This is what lets a Job with a sidecar complete."),
		requirement.Noted(kubelet("SID-06", termination, endings, limit.PodGone,
			"When a Pod is deleted, its sidecars are asked to end only after all app containers have ended, in the reverse order of their start."),
			"What the grace period leaves to none of them is killed; that is not checked here."),
		requirement.Noted(requirement.From("1.30", kubelet("SID-06b", termination, endings, limit.PodGone,
			"A sidecar is asked to end at once when its Pod is deleted, also if a sidecar after it never started.")),
			"Before https://github.com/kubernetes/kubernetes/pull/125935 it was left until the grace period was over."),
		kubelet("SID-07", lifecycle, actions, limit.InitSequence,
			"A sidecar keeps running while an init container after it fails and is retried."),
		{
			ID:        "SID-08",
			Statement: "Sidecars may have probes and lifecycle handlers, unlike init containers that must end.",
			Doc:       fromInit,
			Source:    validating,
			Since:     "1.29",
			Level:     requirement.API,
			Limit:     limit.Namespace.For,
			Remedy:    "Look for a webhook that changes or refuses Pods, or an API server that is not stock Kubernetes.",
			Note:      "The page on container restart rules says that sidecars may have none. Release 1.37 accepts them, and nothing is asked of that here.",
		},
		requirement.OnLentNode(kubelet("SID-09", podRestart, podActions, limit.InitSequence,
			"When a Pod's sandbox is lost, its sidecars start again in order with the init containers."), scene.LostSandbox),
		requirement.Noted(needsRules(requirement.From("1.35", kubelet("SID-10", restartRules, "pkg/kubelet/container/helpers.go ShouldContainerBeRestarted", limit.InitSequence,
			"A restart policy and restart rules of a container take the place of the Pod's for that container, and rules need such a policy."))),
			"The rule RestartAllContainers, on since 1.36, is not checked."),
	},
}

// kubelet is a promise that the kubelet keeps, seen in real Pods.
func kubelet(id, doc, source string, within limit.Limit, statement string) requirement.Requirement {
	return requirement.Requirement{
		ID: id, Statement: statement, Doc: doc, Source: source, Since: "1.29",
		Level: requirement.Namespace, Limit: within.For,
		Remedy: "Read the kubelet's log on the node that the evidence names, and make sure that kubelet and container runtime are unmodified, of supported versions, and have the feature SidecarContainers on.",
	}
}

func needsRules(r requirement.Requirement) requirement.Requirement {
	r.Needs = append(r.Needs, requirement.ContainerRestartRules)
	return r
}
