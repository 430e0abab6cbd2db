package initcontainers

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/fixtures/workload"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

func retries(cluster *scene.Cluster) {
	retriesForEver(cluster, "INI-04", corev1.RestartPolicyAlways)
	retriesForEver(cluster, "INI-05", corev1.RestartPolicyOnFailure)

	It("fails a Pod with restartPolicy Never at the first failure of an init container", requirement.Checks("INI-06"), func(ctx SpecContext) {
		s := cluster.Open(ctx)
		// The contrast: the same containers, which may be restarted, and are.
		contrast := s.CreatePod(ctx, failingPod("contrast", corev1.RestartPolicyOnFailure))
		never := s.CreatePod(ctx, failingPod("never", corev1.RestartPolicyNever))

		s.Await(ctx, limit.InitSequence, judge.InPhase(never, corev1.PodFailed).And(judge.Restarted(contrast, "fails", 1)))

		Expect(s.History).To(judge.Attempts(never, "fails", 7))
		Expect(s.History).To(judge.NeverStarted(never, "next"))
		Expect(s.History).To(judge.NeverStarted(never, "app"))
		s.SawContainers(never)
		s.SawContainers(contrast)
	})

	It("goes on once an init container succeeds, after two failures at the third attempt", requirement.Checks("INI-07"), func(ctx SpecContext) {
		s := cluster.Open(ctx)
		pod := s.CreatePod(ctx, fixtures.Pod("flaky",
			fixtures.Init(fixtures.Container("flaky", workload.FailTimes(fixtures.SharedFile("attempts"), 2, 7)), fixtures.Container("next")),
			fixtures.SharedDir))

		s.Await(ctx, limit.InitSequence, judge.IsReady(pod))

		Expect(s.History).To(judge.Attempts(pod, "flaky", 7, 7, 0))
		Expect(s.History).To(judge.Attempts(pod, "next", 0))
		s.SawContainers(pod)
	})

	It("does not run init containers again when an app container is restarted", requirement.Checks("INI-12"), func(ctx SpecContext) {
		s := cluster.Open(ctx)
		app := fixtures.Container("app", workload.AppendAttempt(turns, "app"),
			workload.FailTimes(fixtures.SharedFile("attempts"), 1, 1), workload.ReportFile(turns))
		pod := s.CreatePod(ctx, fixtures.Pod("crashing",
			fixtures.Restart(corev1.RestartPolicyOnFailure),
			fixtures.Init(fixtures.Container("prepare", workload.AppendAttempt(turns, "prepare"))),
			fixtures.With(app), fixtures.SharedDir))

		s.Await(ctx, limit.InitSequence, judge.InPhase(pod, corev1.PodSucceeded))

		Expect(s.History).To(judge.Attempts(pod, "app", 1, 0))
		Expect(s.History).To(judge.Attempts(pod, "prepare", 0))
		Expect(s.History).To(judge.Reported(pod, "app", "prepare1", "app1", "app2"))
		s.SawContainers(pod)
	})
}

func retriesForEver(cluster *scene.Cluster, id string, policy corev1.RestartPolicy) {
	It(fmt.Sprintf("restarts a failing init container again and again with restartPolicy %s", policy), requirement.Checks(id), func(ctx SpecContext) {
		s := cluster.Open(ctx)
		pod := s.CreatePod(ctx, failingPod("failing", policy))

		s.Await(ctx, limit.InitSequence, judge.Restarted(pod, "fails", 2))

		Expect(s.History).To(judge.EachAttemptEndsWith(pod, "fails", 7))
		Expect(s.History).To(judge.NeverStarted(pod, "next"))
		Expect(s.History).To(judge.NeverStarted(pod, "app"))
		Expect(s.History).To(judge.PendingWhileInitializing(pod))
		s.SawContainers(pod)
	})
}

// failingPod has an init container that always fails with code 7, before
// another one and the app.
func failingPod(name string, policy corev1.RestartPolicy) *corev1.Pod {
	return fixtures.Pod(name, fixtures.Restart(policy),
		fixtures.Init(fixtures.Container("fails", workload.Exit(7)), fixtures.Container("next")))
}
