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
	"rollcall.dev/rollcall/framework/node"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

// The reasons of the condition DisruptionTarget.
// https://kubernetes.io/docs/concepts/workloads/pods/disruptions/#pod-disruption-conditions
const (
	byDrain = "EvictionByEvictionAPI"
	byTaint = "DeletionByTaintManager"
)

// evacuated is an administrator's taint, which nothing tolerates by itself.
var evacuated = corev1.Taint{Key: "rollcall.dev/evacuated", Effect: corev1.TaintEffectNoExecute}

func eviction(cluster *scene.Cluster) {
	It("loses its Pod to a drain, and starts another one elsewhere", requirement.Checks("JOB-04"), func(ctx SpecContext) {
		s := cluster.OpenApart(ctx)
		leaving := s.SimulateNode(ctx, s.Pooled())
		job, evicted := jobOn(ctx, s, "job", s.AmongPool())
		refuge := s.SimulateNode(ctx, s.Pooled())
		// The contrast: one on a node that is not drained.
		_, stays := jobOn(ctx, s, "contrast", fixtures.OnlyOn(refuge.Node.Name, refuge.Fence))

		// A DaemonSet of somebody else may tolerate all and have a Pod there.
		answer := s.Drain(ctx, leaving.Node.Name, "--ignore-daemonsets")

		Expect(answer.Code).To(BeZero(), answer.Err)
		expectMoved(ctx, s, job, evicted, byDrain, refuge)
		Expect(s.History).To(judge.Undisturbed(stays))
	})

	It("loses its Pod to a taint that this does not tolerate, and starts another one elsewhere", requirement.Checks("JOB-04"), func(ctx SpecContext) {
		s := cluster.OpenApart(ctx)
		leaving := s.SimulateNode(ctx, s.Pooled())
		job, evicted := jobOn(ctx, s, "job", s.AmongPool())
		// The contrast: on the same node, one that tolerates every taint, as rollcall's
		// own Job does.
		_, stays := jobOn(ctx, s, "contrast", s.AmongPool(), fixtures.Tolerate(corev1.Toleration{Operator: corev1.TolerationOpExists}))
		refuge := s.SimulateNode(ctx, s.Pooled())

		s.Taint(ctx, leaving.Node.Name, evacuated)

		expectMoved(ctx, s, job, evicted, byTaint, refuge)
		Expect(s.History).To(judge.Undisturbed(stays))
	})
}

// jobOn makes a Job that may fail once, and returns it with its Pod, which is
// Ready.
func jobOn(ctx SpecContext, s *scene.Scene, name string, where ...fixtures.PodOption) (*batchv1.Job, *corev1.Pod) {
	GinkgoHelper()
	job := s.CreateJob(ctx, fixtures.Job(name, 1, append(where, fixtures.Restart(corev1.RestartPolicyNever))...))
	state := s.Await(ctx, limit.PodReady, readyPods(job, 1))
	return job, state.PodsOf(job.UID)[0]
}

// expectMoved expects that a Job's Pod was asked to go for a reason, and that the
// Job has just one other Pod, which is Ready on another node.
func expectMoved(ctx SpecContext, s *scene.Scene, job *batchv1.Job, evicted *corev1.Pod, reason string, refuge *node.Simulated) {
	GinkgoHelper()
	state := s.Await(ctx, limit.PodReady, judge.Gone(evicted).And(readyPods(job, 1)))
	s.CatchUp(ctx, history.Pod)
	Expect(s.History).To(judge.Disrupted(evicted, reason))
	Expect(everyPod(s, job.UID)).To(HaveLen(2))
	Expect(state.PodsOf(job.UID)[0].Spec.NodeName).To(Equal(refuge.Node.Name))
	saw(s, s.AwaitJob(ctx, limit.Status, job, "is active", active), everyPod(s, job.UID)...)
}

func active(job *batchv1.Job) bool {
	return job.Status.Active == 1 && !judge.JobHas(batchv1.JobFailed, "")(job)
}
