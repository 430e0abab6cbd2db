package jobs

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/fixtures/workload"
	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

func failures(cluster *scene.Cluster) {
	It("counts the restarts of init containers as failures, and removes the Pod", requirement.Checks("JOB-01"), func(ctx SpecContext) {
		s := cluster.Open(ctx)
		job := s.CreateJob(ctx, fixtures.Job("failing", 1, fixtures.Restart(corev1.RestartPolicyOnFailure),
			fixtures.Init(fixtures.Container("fails", workload.Exit(7)))))

		ended := s.AwaitJob(ctx, limit.InitSequence, job, failedTooOften, judge.JobHas(batchv1.JobFailed, batchv1.JobReasonBackoffLimitExceeded))

		pods := everyPod(s, job.UID)
		Expect(pods).To(HaveLen(1))
		s.Await(ctx, limit.PodGone, judge.Gone(pods[0]))
		Expect(s.History).To(judge.EachAttemptEndsWith(pods[0], "fails", 7))
		Expect(s.History).To(judge.NeverStarted(pods[0], "app"))
		saw(s, ended, pods...)
	})

	It("counts failed Pods with restartPolicy Never, and keeps them", requirement.Checks("JOB-02"), func(ctx SpecContext) {
		s := cluster.Open(ctx)
		job := s.CreateJob(ctx, fixtures.Job("failing", 1, fixtures.Restart(corev1.RestartPolicyNever),
			fixtures.With(fixtures.Container("app", workload.Report("last words"), workload.Exit(7)))))

		ended := s.AwaitJob(ctx, limit.InitSequence, job, failedTooOften, judge.JobHas(batchv1.JobFailed, batchv1.JobReasonBackoffLimitExceeded))

		s.CatchUp(ctx, history.Pod)
		kept := s.History.Latest().PodsOf(job.UID)
		Expect(kept).To(HaveLen(2), "one Pod, and one more for a backoffLimit of 1")
		Expect(everyPod(s, job.UID)).To(HaveLen(2), "none was removed")
		for _, pod := range kept {
			Expect(judge.Terminating(pod)).To(BeFalse())
			Expect(s.History).To(judge.Attempts(pod, "app", 7))
			Expect(s.History).To(judge.Reported(pod, "app", "last words"))
		}
		saw(s, ended, kept...)
	})
}

const failedTooOften = "is Failed with the reason BackoffLimitExceeded"

// everyPod returns all Pods that a Job ever had in the history, each as it was
// first seen.
func everyPod(s *scene.Scene, job types.UID) []*corev1.Pod {
	var pods []*corev1.Pod
	known := map[types.UID]bool{}
	for _, change := range s.History.Changes() {
		pod, ok := change.Object.(*corev1.Pod)
		if ok && !known[pod.UID] && ownedBy(pod, job) {
			pods = append(pods, pod)
			known[pod.UID] = true
		}
	}
	return pods
}

func ownedBy(pod *corev1.Pod, owner types.UID) bool {
	for _, reference := range pod.OwnerReferences {
		if reference.UID == owner {
			return true
		}
	}
	return false
}

// saw adds to the evidence what became of a Job and its Pods.
func saw(s *scene.Scene, job *batchv1.Job, pods ...*corev1.Pod) {
	scene.Saw("Job %s: %s", job.Name, judge.DescribeJob(job))
	for _, pod := range pods {
		for _, line := range judge.Chronicle(s.History.History, pod) {
			scene.Saw("%s", line)
		}
	}
}
