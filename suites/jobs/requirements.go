package jobs

import (
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
)

// Where the documentation speaks of the failure and the end of Jobs.
const (
	backoff     = "concepts/workloads/controllers/job/#pod-backoff-failure-policy"
	cleanup     = "concepts/workloads/controllers/job/#ttl-mechanism-for-finished-jobs"
	termination = "concepts/workloads/controllers/job/#job-termination-and-cleanup"
	policy      = "concepts/workloads/controllers/job/#pod-failure-policy"
	disruptions = "concepts/workloads/pods/disruptions/#pod-disruption-conditions"
)

// Area is what a run that is itself a Job depends on.
var Area = requirement.Area{
	Name:  "jobs",
	Title: "Jobs: what counts as a failure, which Pods are kept, when a Job goes",
	Requirements: []requirement.Requirement{
		requirement.Noted(job("JOB-01", backoff, "pkg/controller/job/job_controller.go pastBackoffLimitOnFailure",
			"With restartPolicy OnFailure the restarts of all containers count against backoffLimit, those of init containers too, and the Pod is removed when the limit is reached."),
			"With the Pod goes its log. A Job whose log matters takes restartPolicy Never."),
		job("JOB-02", backoff, "pkg/controller/job/job_controller.go syncJob",
			"With restartPolicy Never each failed Pod counts against backoffLimit, and the failed Pods are kept."),
		requirement.From("1.23", job("JOB-03", cleanup, "pkg/controller/ttlafterfinished/ttlafterfinished_controller.go",
			"A finished Job is removed with its Pods when its ttlSecondsAfterFinished are over.")),
		{
			ID:        "JOB-04",
			Statement: "The Pod of a Job is evicted by a drain or a taint like any other Pod, and the Job starts another one.",
			Doc:       disruptions,
			Source:    "pkg/controller/job/job_controller.go isPodFailed, manageJob",
			Level:     requirement.Simulated,
			Needs:     []requirement.Capability{requirement.NodeObjects},
			Limit:     3*limit.PodReady.For + limit.Status.For,
			Remedy:    "Let a Job that disturbs nodes stand on a node that it does not disturb, and tolerate every taint.",
			Note:      "The evicted Pod counts against backoffLimit unless a podFailurePolicy ignores it, see JOB-05. rollcall itself never disturbs the node on which its own Pod runs; its Job tolerates every taint and has a deadline, see JOB-06.",
		},
		requirement.From("1.31", job("JOB-05", policy, "pkg/controller/job/pod_failure_policy.go matchPodFailurePolicy",
			"A Job whose podFailurePolicy ignores the condition DisruptionTarget replaces an evicted Pod without counting it as a failure.")),
		requirement.Noted(job("JOB-06", termination, "pkg/controller/job/job_controller.go pastActiveDeadline",
			"A Job that has been active for activeDeadlineSeconds fails for the reason DeadlineExceeded, whatever its backoffLimit leaves, and its Pods are told to go."),
			"It bounds how long a run that is itself a Job can last."),
	},
}

// job is a promise of the Job controllers, seen at real Pods.
func job(id, doc, source, statement string) requirement.Requirement {
	return requirement.Requirement{
		ID: id, Statement: statement, Doc: doc, Source: source,
		Level: requirement.Namespace, Limit: limit.InitSequence.For,
		Remedy: "Read the log of kube-controller-manager, and look for something else that removes or changes Jobs and their Pods.",
	}
}
