package sidecars

import (
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

func sandbox(cluster *scene.Cluster) {
	It("starts again in its place among the init containers when the Pod's sandbox is lost", requirement.Checks("SID-09"), func(ctx SpecContext) {
		s := cluster.OpenPrivileged(ctx)
		node := s.LendNode(ctx)
		pod := s.CreatePod(ctx, fixtures.Pod("shaken",
			fixtures.Restart(corev1.RestartPolicyOnFailure), fixtures.OnNodes(node.Name),
			fixtures.Init(
				fixtures.Container("before", workload.AppendAttempt(turns, "before")),
				fixtures.Sidecar("proxy", workload.AppendAttempt(turns, "proxy"), workload.Serve()),
				fixtures.Container("after", workload.Sleep(standstill), workload.AppendAttempt(turns, "after"))),
			fixtures.With(fixtures.Container("app", workload.AppendAttempt(turns, "app"), fixtures.AwaitGate("go"), workload.ReportFile(turns))),
			fixtures.SharedDir, fixtures.Gate))
		s.Await(ctx, limit.InitSequence, judge.Running(pod, "app", 1))

		s.LoseSandbox(ctx, pod)

		s.Await(ctx, limit.InitSequence, judge.Running(pod, "app", 2).And(judge.Running(pod, "proxy", 2)))
		s.AnnotatePod(ctx, pod.Name, fixtures.GateAnnotation, "go")
		s.Await(ctx, limit.Restart, judge.InPhase(pod, corev1.PodSucceeded))
		Expect(s.History).To(judge.Reported(pod, "app",
			"before1", "proxy1", "after1", "app1", "before2", "proxy2", "after2", "app2"))
		s.SawContainers(pod)
	})
}
