package jobs

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

func removal(cluster *scene.Cluster) {
	It("goes with its Pods when ttlSecondsAfterFinished is over, and stays without it", requirement.Checks("JOB-03"), func(ctx SpecContext) {
		s := cluster.Open(ctx)
		contrast := s.CreateJob(ctx, finishing("contrast"))
		patient := s.CreateJob(ctx, keptFor(finishing("patient"), aDay))
		for _, job := range []*batchv1.Job{patient, contrast} {
			s.AwaitJob(ctx, limit.InitSequence, job, "is Complete", judge.JobHas(batchv1.JobComplete, ""))
		}

		job := s.CreateJob(ctx, keptFor(finishing("brief"), 0))

		s.AwaitNoJob(ctx, limit.InitSequence, job)
		pods := everyPod(s, job.UID)
		Expect(pods).To(HaveLen(1))
		s.Await(ctx, limit.PodGone, judge.Gone(pods[0]))
		Expect(s.History).To(judge.Attempts(pods[0], "app", 0))
		s.CatchUp(ctx, history.Pod)
		Expect(s.History.Latest().PodsOf(contrast.UID)).To(HaveLen(1), "the Pod of the Job without ttlSecondsAfterFinished")
		Expect(s.History.Latest().PodsOf(patient.UID)).To(HaveLen(1), "the Pod of the Job whose ttlSecondsAfterFinished are not over")
		saw(s, contrast, append(pods, s.History.Latest().PodsOf(contrast.UID)...)...)
	})
}

// aDay is longer than any run, in seconds.
const aDay = 24 * 60 * 60

// keptFor gives a Job so many seconds after its end.
func keptFor(job *batchv1.Job, seconds int32) *batchv1.Job {
	job.Spec.TTLSecondsAfterFinished = &seconds
	return job
}

// finishing is a Job that is done at once.
func finishing(name string) *batchv1.Job {
	return fixtures.Job(name, 0, fixtures.Restart(corev1.RestartPolicyNever), fixtures.With(fixtures.Container("app")))
}
