package initcontainers

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

// standstill is how long a Pod is watched at a gate. A kubelet that would go on
// does so within the second in which it starts the container at the gate.
const standstill = 3 * time.Second

func order(cluster *scene.Cluster) {
	It("runs init containers one after the other, in the order of the spec", requirement.Checks("INI-01"), func(ctx SpecContext) {
		s := cluster.Open(ctx)
		pod := s.CreatePod(ctx, fixtures.Pod("ordered",
			fixtures.Init(takesTurn("first"), takesTurn("second"), takesTurn("third", workload.ReportFile(turns))),
			fixtures.SharedDir))

		s.Await(ctx, limit.InitSequence, judge.Ended(pod, "third", 0))

		Expect(s.History).To(judge.InitInOrder(pod))
		Expect(s.History).To(judge.Reported(pod, "third",
			"first begins", "first ends", "second begins", "second ends", "third begins", "third ends"))
		s.SawContainers(pod)
	})

	It("starts no app container while an init container still runs", requirement.Checks("INI-02"), func(ctx SpecContext) {
		s := cluster.Open(ctx)
		pod := s.CreatePod(ctx, fixtures.Pod("waiting",
			fixtures.Restart(corev1.RestartPolicyNever),
			fixtures.Init(fixtures.Container("prepare",
				workload.Append(turns, "prepare begins"), fixtures.AwaitGate("go"), workload.Append(turns, "prepare ends"))),
			fixtures.With(fixtures.Container("app", workload.Append(turns, "app begins"), workload.ReportFile(turns))),
			fixtures.SharedDir, fixtures.Gate))
		s.Await(ctx, limit.PodReady, judge.Running(pod, "prepare", 1))
		s.Hold(ctx, standstill, "an app container that does not wait for init container prepare")

		s.AnnotatePod(ctx, pod.Name, fixtures.GateAnnotation, "go")

		s.Await(ctx, limit.Restart, judge.Ended(pod, "app", 0))
		Expect(s.History).To(judge.AppWaitsForInit(pod))
		Expect(s.History).To(judge.Reported(pod, "app", "prepare begins", "prepare ends", "app begins"))
		s.SawContainers(pod)
	})

	It("calls a Pod Pending and not Initialized until its init containers have succeeded", requirement.Checks("INI-03"), func(ctx SpecContext) {
		s := cluster.Open(ctx)
		pod := s.CreatePod(ctx, fixtures.Pod("initializing",
			fixtures.Init(fixtures.Container("first"), fixtures.Container("second", fixtures.AwaitGate("go"))),
			fixtures.Gate))
		s.Await(ctx, limit.PodReady, judge.Running(pod, "second", 1).And(judge.Initializing(pod)))
		s.Hold(ctx, standstill, "a Pod that claims to be initialized too soon")

		s.AnnotatePod(ctx, pod.Name, fixtures.GateAnnotation, "go")

		s.Await(ctx, limit.Restart, judge.IsReady(pod).And(judge.Initialized(pod)))
		Expect(s.History).To(judge.PendingWhileInitializing(pod))
		s.SawContainers(pod)
	})
}
