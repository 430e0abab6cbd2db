package termination

import (
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
)

// Where the documentation speaks of the end of Pods.
const (
	ending   = "concepts/workloads/pods/pod-lifecycle/#pod-termination"
	forced   = "concepts/workloads/pods/pod-lifecycle/#pod-termination-forced"
	handlers = "concepts/containers/container-lifecycle-hooks/#hook-handler-execution"
	phase    = "concepts/workloads/pods/pod-lifecycle/#pod-phase"
	updates  = "tasks/manage-daemon/update-daemon-set/#daemonset-update-strategy"
	slices   = "concepts/services-networking/endpoint-slices/#conditions"
	shutdown = "concepts/cluster-administration/node-shutdown/#graceful-node-shutdown"
)

// What implements the promises, below k8s.io/kubernetes.
const (
	killing  = "pkg/kubelet/kuberuntime/kuberuntime_container.go killContainer"
	deleting = "pkg/registry/core/pod/strategy.go CheckGracefulDelete"
	statuses = "pkg/kubelet/kubelet_pods.go getPhase; pkg/kubelet/status/status_manager.go syncPod"
)

// Area is what Kubernetes promises about the end of a Pod.
var Area = requirement.Area{
	Name:  "termination",
	Title: "The end of a Pod: grace period, signals, handlers and what the API shows",
	Requirements: []requirement.Requirement{
		end("TERM-01", ending, deleting, limit.PodGone,
			"A Pod that is deleted is given the grace period of its spec, which is 30 seconds if the spec says nothing."),
		requirement.Noted(end("TERM-02", ending, killing, limit.PodGone,
			"The containers of a deleted Pod get SIGTERM and may finish; what still runs when the grace period is over is killed, and ends with code 137."),
			"The default signal of Linux images is meant; an image or a spec may name another one."),
		requirement.Noted(end("TERM-03", handlers, killing, limit.PodGone,
			"The preStop handler runs to its end before SIGTERM is sent, and its time is part of the grace period."),
			"A container whose handler has used up the grace period gets two more seconds, once. That is not checked."),
		requirement.Noted(end("TERM-04", forced, deleting, limit.PodGone,
			"A Pod that is deleted by force, with a grace period of 0, is removed from the API at once, whether its containers have ended or not."),
			"So its name is free while its processes may still run. On the node they still get a short time to end, which is not checked."),
		requirement.From("1.27", end("TERM-05", phase, statuses, limit.PodGone,
			"A Pod that is deleted goes to the phase Succeeded or Failed, by the exit codes of its containers, before it is removed from the API.")),
		end("TERM-06", updates, "pkg/controller/daemon/update.go rollingUpdate; "+killing, limit.Rollout,
			"A rolling update lets the old Pods of a DaemonSet finish within their grace period, and goes on as soon as they have."),
		requirement.From("1.26", end("TERM-07", slices, "k8s.io/endpointslice utils.go podToEndpoint", limit.PodGone,
			"A terminating Pod is not a ready endpoint of its Service; while it still works it is shown as serving and terminating.")),
		requirement.NotChecked(end("TERM-08", shutdown, "pkg/kubelet/nodeshutdown/nodeshutdown_manager_linux.go", limit.PodGone,
			"When a node is shut down, its kubelet ends the Pods on it by priority, those of DaemonSets too, which a drain leaves alone."),
			"a node would have to be shut down, and that the kubelet learns of it depends on the machine"),
	},
}

// end is a promise about the end of Pods, seen in real ones that got Ready first.
func end(id, doc, source string, within limit.Limit, statement string) requirement.Requirement {
	return requirement.Requirement{
		ID: id, Statement: statement, Doc: doc, Source: source,
		Level: requirement.Namespace, Limit: limit.PodReady.For + within.For,
		Remedy: "Read the logs of the kubelet and the container runtime on the node that the evidence names; a Pod that is slow to go shows there what it waits for.",
	}
}
