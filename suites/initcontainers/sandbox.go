package initcontainers

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
	It("runs all init containers again, in order, when the Pod's sandbox is lost", requirement.Checks("INI-13"), func(ctx SpecContext) {
		s := cluster.OpenPrivileged(ctx)
		node := s.LendNode(ctx)
		pod := s.CreatePod(ctx, fixtures.Pod("shaken",
			fixtures.Restart(corev1.RestartPolicyOnFailure), fixtures.OnNodes(node.Name),
			fixtures.Init(notes("first"), notes("second"), notes("third")),
			fixtures.With(fixtures.Container("app", workload.AppendAttempt(turns, "app"), fixtures.AwaitGate("go"), workload.ReportFile(turns))),
			fixtures.SharedDir, fixtures.Gate))
		s.Await(ctx, limit.InitSequence, judge.Running(pod, "app", 1))

		s.LoseSandbox(ctx, pod)

		s.Await(ctx, limit.InitSequence, judge.Running(pod, "app", 2))
		s.AnnotatePod(ctx, pod.Name, fixtures.GateAnnotation, "go")
		s.Await(ctx, limit.Restart, judge.InPhase(pod, corev1.PodSucceeded))
		Expect(s.History).To(judge.Reported(pod, "app",
			"first1", "second1", "third1", "app1", "first2", "second2", "third2", "app2"))
		s.SawContainers(pod)
	})
}

// notes is a container that notes its attempt.
func notes(name string) corev1.Container {
	return fixtures.Container(name, workload.AppendAttempt(turns, name))
}
