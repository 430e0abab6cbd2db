package jobs

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	batchv1 "k8s.io/api/batch/v1"
	"k8s.io/utils/ptr"

	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

// allowed is a deadline that the Pod of a Job outlives.
const allowed = 5 * time.Second

func deadline(cluster *scene.Cluster) {
	It("fails when activeDeadlineSeconds are over, whatever backoffLimit leaves, and its Pod goes", requirement.Checks("JOB-06"), func(ctx SpecContext) {
		s := cluster.Open(ctx)
		// The contrast: the same Job without a deadline goes on.
		contrast := s.CreateJob(ctx, serving("contrast"))
		s.Await(ctx, limit.PodReady, readyPods(contrast, 1))
		bounded := serving("bounded")
		bounded.Spec.BackoffLimit, bounded.Spec.ActiveDeadlineSeconds = ptr.To(int32(6)), ptr.To(int64(allowed.Seconds()))

		job := s.CreateJob(ctx, bounded)

		ended := s.AwaitJob(ctx, limit.InitSequence, job, "is Failed with the reason DeadlineExceeded", judge.JobHas(batchv1.JobFailed, batchv1.JobReasonDeadlineExceeded))
		s.CatchUp(ctx, history.Pod)
		pods := everyPod(s, job.UID)
		Expect(pods).To(HaveLen(1))
		s.Await(ctx, limit.PodGone, judge.Gone(pods[0]))
		Expect(lasted(ended)).To(BeNumerically(">=", allowed))
		saw(s, ended, pods...)
		saw(s, s.AwaitJob(ctx, limit.Status, contrast, "is active", active))
	})
}

// lasted returns how long a Job was active before it was Failed, by the
// controller's clock.
func lasted(job *batchv1.Job) time.Duration {
	for _, condition := range job.Status.Conditions {
		if condition.Type == batchv1.JobFailed {
			return condition.LastTransitionTime.Sub(job.Status.StartTime.Time)
		}
	}
	return 0
}
