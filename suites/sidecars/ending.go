package sidecars

import (
	"time"

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

// ample is a grace period, in seconds, that is longer than any limit: what ends
// within a limit has not waited for it.
const ample = 600

func ending(cluster *scene.Cluster) {
	It("does not keep a Pod from succeeding when its app is done, whatever code it ends with itself", requirement.Checks("SID-05"), func(ctx SpecContext) {
		s := cluster.Open(ctx)
		pod := s.CreatePod(ctx, fixtures.Pod("finishing",
			fixtures.Restart(corev1.RestartPolicyNever), fixtures.GracePeriod(30),
			fixtures.Init(fixtures.Sidecar("proxy", workload.OnTerm(workload.Exit(3)), workload.Write(attempts, "up"), workload.Serve())),
			fixtures.With(fixtures.Container("app", workload.Await(attempts, "up"))),
			fixtures.SharedDir))

		s.Await(ctx, limit.InitSequence, judge.InPhase(pod, corev1.PodSucceeded))

		Expect(s.History).To(judge.Attempts(pod, "app", 0))
		Expect(s.History).To(judge.Attempts(pod, "proxy", 3))
		s.SawContainers(pod)
	})

	It("ends after every app container has ended, the last sidecar first", requirement.Checks("SID-06"), func(ctx SpecContext) {
		s := cluster.Open(ctx)
		pod := s.CreatePod(ctx, fixtures.Pod("ending",
			fixtures.GracePeriod(ample),
			fixtures.Init(
				fixtures.Sidecar("first", lastWords("first", 0, workload.ReportFile(turns))...),
				fixtures.Sidecar("second", lastWords("second", time.Second)...)),
			fixtures.With(fixtures.Container("app", lastWords("app", 2*time.Second)...), fixtures.Container("other", workload.Serve())),
			fixtures.SharedDir))
		s.HastenAtEnd(pod)
		s.Await(ctx, limit.PodReady, judge.IsReady(pod))

		s.DeletePod(ctx, pod)

		s.Await(ctx, limit.PodGone, judge.Gone(pod))
		Expect(s.History).To(judge.Reported(pod, "first",
			"app is asked to end", "app ends", "second is asked to end", "second ends", "first is asked to end", "first ends"))
		Expect(s.History).To(judge.Attempts(pod, "other", 0))
		s.SawContainers(pod)
	})

	It("is asked to end at once although a sidecar after it never started", requirement.Checks("SID-06b"), func(ctx SpecContext) {
		s := cluster.Open(ctx)
		pod := s.CreatePod(ctx, fixtures.Pod("stuck",
			fixtures.GracePeriod(ample),
			fixtures.Init(
				probed(fixtures.Sidecar("proxy", workload.OnTerm(workload.Report("asked to end")), workload.Serve()), never(), nil),
				fixtures.Sidecar("logger", workload.Serve()))))
		s.HastenAtEnd(pod)
		s.Await(ctx, limit.PodReady, judge.Running(pod, "proxy", 1))

		s.DeletePod(ctx, pod)

		s.Await(ctx, limit.PodGone, judge.Gone(pod))
		Expect(s.History).To(judge.Reported(pod, "proxy", "asked to end"))
		Expect(s.History).To(judge.NeverStarted(pod, "logger"))
		s.SawContainers(pod)
	})
}
