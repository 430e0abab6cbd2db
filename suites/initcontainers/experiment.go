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

// experiment is a whole start-up in which everything happens once: a failure, a
// retry, a wait, and an artefact that goes from one container to the next.
func experiment(cluster *scene.Cluster) {
	It("makes an artefact in steps: a retry, a wait at a gate, and an app that starts last and verifies it", requirement.Checks("INI-02"), func(ctx SpecContext) {
		s := cluster.Open(ctx)
		pod := s.CreatePod(ctx, artefactPod())
		s.Await(ctx, limit.InitSequence, judge.Running(pod, "prepare", 2).And(judge.Initializing(pod)))
		s.Hold(ctx, standstill, "transform or app, which must wait for prepare")
		scene.Saw("held at the gate: %s", judge.DescribePod(s.History.Latest().Pod(pod.Name)))

		s.AnnotatePod(ctx, pod.Name, fixtures.GateAnnotation, "go")

		s.Await(ctx, limit.InitSequence, judge.IsReady(pod))
		s.DeletePod(ctx, pod) // the app leaves its report when it ends
		s.Await(ctx, limit.PodGone, judge.Gone(pod))
		Expect(s.History).To(judge.InitInOrder(pod))
		Expect(s.History).To(judge.AppWaitsForInit(pod))
		Expect(s.History).To(judge.PendingWhileInitializing(pod))
		Expect(s.History).To(judge.Attempts(pod, "prepare", 7, 0))
		Expect(s.History).To(judge.Attempts(pod, "transform", 0))
		Expect(s.History).To(judge.Attempts(pod, "app", 0))
		Expect(s.History).To(judge.Reported(pod, "app", "prepare1", "prepare2", "transform", "app"))
		Expect(s.History).To(judge.OnlyPod(pod))
		s.SawContainers(pod)
	})
}

// artefactPod fails with code 7 once, waits at the gate in its second attempt,
// makes the input, makes READY of it, and serves only if it finds that.
func artefactPod() *corev1.Pod {
	var (
		order    = fixtures.SharedFile("order")
		attempts = fixtures.SharedFile("attempts")
		input    = fixtures.SharedFile("input")
		output   = fixtures.SharedFile("output")
	)
	prepare := fixtures.Container("prepare",
		workload.AppendAttempt(order, "prepare"), workload.FailTimes(attempts, 1, 7),
		fixtures.AwaitGate("go"), workload.Write(input, "ready"))
	transform := fixtures.Container("transform",
		workload.Expect(input, "ready"), workload.Write(output, "READY"), workload.Append(order, "transform"))
	app := fixtures.Container("app",
		workload.Expect(output, "READY"), workload.Append(order, "app"), workload.ReportFile(order), workload.Serve())
	// The grace period is what a busy node may need: the app ends when it is asked to.
	return fixtures.Pod("artefact", fixtures.GracePeriod(30), fixtures.Init(prepare, transform), fixtures.With(app), fixtures.SharedDir, fixtures.Gate)
}
