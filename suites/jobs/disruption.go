package jobs

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/fixtures/workload"
	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

func disruption(cluster *scene.Cluster) {
	It("replaces an evicted Pod without counting it, if its podFailurePolicy ignores disruptions", requirement.Checks("JOB-05"), func(ctx SpecContext) {
		s := cluster.Open(ctx)
		// The contrast: the same Job without the policy fails.
		contrast := s.CreateJob(ctx, serving("contrast"))
		ignoring := serving("ignoring")
		ignoring.Spec.PodFailurePolicy = ignoreDisruptions()
		job := s.CreateJob(ctx, ignoring)
		s.Await(ctx, limit.PodReady, readyPods(job, 1).And(readyPods(contrast, 1)))
		evicted := append(s.History.Latest().PodsOf(job.UID), s.History.Latest().PodsOf(contrast.UID)...)

		for _, pod := range evicted {
			s.EvictPod(ctx, pod)
		}

		failed := s.AwaitJob(ctx, limit.InitSequence, contrast, failedTooOften, judge.JobHas(batchv1.JobFailed, batchv1.JobReasonBackoffLimitExceeded))
		s.Await(ctx, limit.InitSequence, judge.Gone(evicted[0]).And(readyPods(job, 1)))
		s.CatchUp(ctx, history.Pod)
		Expect(everyPod(s, job.UID)).To(HaveLen(2))
		Expect(everyPod(s, contrast.UID)).To(HaveLen(1))
		saw(s, failed, evicted...)
		saw(s, s.AwaitJob(ctx, limit.Status, job, "is active and counts no failure", activeWithoutFailure))
	})
}

// serving is a Job whose Pod goes on until it is asked to end, and then fails.
func serving(name string) *batchv1.Job {
	return fixtures.Job(name, 0, fixtures.Restart(corev1.RestartPolicyNever), fixtures.With(fixtures.Container("app", workload.OnTerm(workload.Exit(7)), workload.Serve())))
}

func ignoreDisruptions() *batchv1.PodFailurePolicy {
	return &batchv1.PodFailurePolicy{Rules: []batchv1.PodFailurePolicyRule{{
		Action: batchv1.PodFailurePolicyActionIgnore,
		OnPodConditions: []batchv1.PodFailurePolicyOnPodConditionsPattern{{
			Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue,
		}},
	}}}
}

func activeWithoutFailure(job *batchv1.Job) bool {
	return job.Status.Active == 1 && job.Status.Failed == 0 && !judge.JobHas(batchv1.JobFailed, "")(job)
}

// readyPods is the condition that a Job has so many Ready Pods.
func readyPods(job *batchv1.Job, n int) judge.Condition {
	return judge.ReadyPodsOf(job.UID, "Job "+job.Name, n)
}
