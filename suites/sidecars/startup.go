package sidecars

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/fixtures/workload"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

func startup(cluster *scene.Cluster) {
	It("holds up the containers after it until its startup probe succeeds", requirement.Checks("SID-02"), func(ctx SpecContext) {
		s := cluster.Open(ctx)
		proxy := fixtures.Sidecar("proxy", workload.Serve())
		// The contrast: the same sidecar without a probe holds up nothing.
		contrast := s.CreatePod(ctx, fixtures.Pod("contrast", fixtures.Init(proxy), fixtures.Gate))
		pod := s.CreatePod(ctx, fixtures.Pod("probed",
			fixtures.Init(probed(proxy, fixtures.Probe(fixtures.GateShows("go")), nil), fixtures.Container("next")), fixtures.Gate))
		s.Await(ctx, limit.PodReady, judge.Running(pod, "proxy", 1).And(judge.IsReady(contrast)))
		s.Hold(ctx, standstill, "a container that does not wait for the startup probe of sidecar proxy")
		Expect(s.History).To(judge.NeverStarted(pod, "next"))

		s.AnnotatePod(ctx, pod.Name, fixtures.GateAnnotation, "go")

		s.Await(ctx, limit.PodReady, judge.IsReady(pod))
		Expect(s.History).To(judge.SidecarsFirst(pod))
		Expect(s.History).To(judge.NotRestarted(pod, "proxy"))
		s.SawContainers(pod, contrast)
	})

	It("is restarted when its startup probe gives up, and nothing after it starts", requirement.Checks("SID-02"), func(ctx SpecContext) {
		s := cluster.Open(ctx)
		probe := never()
		probe.FailureThreshold = 1
		pod := s.CreatePod(ctx, fixtures.Pod("giving-up",
			fixtures.Init(probed(fixtures.Sidecar("proxy", workload.Serve()), probe, nil), fixtures.Container("next"))))

		s.Await(ctx, limit.InitSequence, judge.Restarted(pod, "proxy", 1))

		Expect(s.History).To(judge.NeverStarted(pod, "next"))
		Expect(s.History).To(judge.NeverStarted(pod, "app"))
		s.SawContainers(pod)
	})
}

func readiness(cluster *scene.Cluster) {
	It("counts for the readiness of the Pod", requirement.Checks("SID-03"), func(ctx SpecContext) {
		s := cluster.Open(ctx)
		pod := s.CreatePod(ctx, fixtures.Pod("probed",
			fixtures.Init(probed(fixtures.Sidecar("proxy", workload.Serve()), nil, fixtures.Probe(fixtures.GateShows("go")))), fixtures.Gate))
		s.Await(ctx, limit.PodReady, judge.NotReady(pod, "app"))
		s.Hold(ctx, standstill, "a Pod that is Ready without its sidecar")

		s.AnnotatePod(ctx, pod.Name, fixtures.GateAnnotation, "go")

		s.Await(ctx, limit.PodReady, judge.IsReady(pod))
		Expect(s.History).To(judge.ReadyOnlyWith(pod, "proxy"))
		s.SawContainers(pod)
	})
}
