package sidecars

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

func restarts(cluster *scene.Cluster) {
	for _, policy := range []corev1.RestartPolicy{corev1.RestartPolicyAlways, corev1.RestartPolicyNever} {
		It(fmt.Sprintf("is restarted by itself beside a running app, in a Pod with restartPolicy %s", policy), requirement.Checks("SID-04"), func(ctx SpecContext) {
			s := cluster.Open(ctx)
			pod := s.CreatePod(ctx, fixtures.Pod("crashing",
				fixtures.Restart(policy),
				fixtures.Init(
					fixtures.Sidecar("proxy", fixtures.AwaitGate("go"), workload.FailTimes(attempts, 1, 7), workload.Serve()),
					fixtures.Container("prepare")),
				fixtures.SharedDir, fixtures.Gate))
			s.Await(ctx, limit.PodReady, judge.Running(pod, "app", 1).And(judge.IsReady(pod)))

			s.AnnotatePod(ctx, pod.Name, fixtures.GateAnnotation, "go")

			s.Await(ctx, limit.InitSequence, judge.Running(pod, "proxy", 2).And(judge.IsReady(pod)))
			Expect(s.History).To(judge.EachAttemptEndsWith(pod, "proxy", 7))
			Expect(s.History).To(judge.Attempts(pod, "prepare", 0))
			Expect(s.History).To(judge.KeepsRunning(pod, "app"))
			s.SawContainers(pod)
		})
	}

	It("leaves a crashed app to be restarted, and goes on beside it", requirement.Checks("SID-04b"), func(ctx SpecContext) {
		s := cluster.Open(ctx)
		pod := s.CreatePod(ctx, fixtures.Pod("crashing",
			fixtures.Init(
				fixtures.Sidecar("proxy", workload.Serve()),
				fixtures.Container("prepare", workload.AppendAttempt(turns, "prepare"))),
			fixtures.With(fixtures.Container("app", workload.FailTimes(attempts, 1, 1), workload.Expect(turns, "prepare1"), workload.Serve())),
			fixtures.SharedDir))

		s.Await(ctx, limit.InitSequence, judge.Running(pod, "app", 2).And(judge.IsReady(pod)))

		Expect(s.History).To(judge.EachAttemptEndsWith(pod, "app", 1))
		Expect(s.History).To(judge.Attempts(pod, "prepare", 0))
		Expect(s.History).To(judge.KeepsRunning(pod, "proxy"))
		s.SawContainers(pod)
	})
}
