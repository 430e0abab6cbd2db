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

func files(cluster *scene.Cluster) {
	It("shares the files of a volume between containers, and no others", requirement.Checks("INI-10"), func(ctx SpecContext) {
		s := cluster.Open(ctx)
		shared, own := fixtures.SharedFile("shared"), "/tmp/own"
		pod := s.CreatePod(ctx, fixtures.Pod("sharing",
			fixtures.Restart(corev1.RestartPolicyNever),
			fixtures.Init(
				fixtures.Container("first", workload.Write(shared, "from first"), workload.Write(own, "from first"), workload.Expect(own, "from first")),
				fixtures.Container("second", workload.Expect(shared, "from first"), workload.ExpectAbsent(own))),
			fixtures.With(fixtures.Container("app", workload.Expect(shared, "from first"), workload.ExpectAbsent(own))),
			fixtures.SharedDir))

		s.Await(ctx, limit.InitSequence, judge.Finishes(pod))

		Expect(s.History).To(judge.Attempts(pod, "second", 0))
		Expect(s.History).To(judge.Attempts(pod, "app", 0))
		s.SawContainers(pod)
	})

	It("keeps the files of an emptyDir over a restart, and not for a later Pod of the same name", requirement.Checks("INI-11"), func(ctx SpecContext) {
		s := cluster.Open(ctx)
		first := s.CreatePod(ctx, countingPod())
		s.Await(ctx, limit.InitSequence, judge.InPhase(first, corev1.PodSucceeded))
		node := s.History.Latest().Pod(first.Name).Spec.NodeName
		s.DeletePod(ctx, first)
		s.Await(ctx, limit.PodGone, judge.Gone(first))

		second := s.CreatePod(ctx, countingPod(fixtures.NodeSelector(corev1.LabelHostname, s.History.Latest().Node(node).Labels[corev1.LabelHostname])))

		s.Await(ctx, limit.InitSequence, judge.InPhase(second, corev1.PodSucceeded))
		for _, pod := range []*corev1.Pod{first, second} {
			Expect(s.History).To(judge.Attempts(pod, "prepare", 7, 0))
			Expect(s.History).To(judge.Attempts(pod, "app", 7, 0))
			Expect(s.History).To(judge.Reported(pod, "app", "prepare1", "prepare2", "app1", "app2"))
			s.SawContainers(pod)
		}
	})
}

// countingPod notes every attempt of its containers, of which each fails once.
func countingPod(options ...fixtures.PodOption) *corev1.Pod {
	return fixtures.Pod("counting", append(options,
		fixtures.Restart(corev1.RestartPolicyOnFailure),
		fixtures.Init(fixtures.Container("prepare", failsOnce("prepare")...), fixtures.Container("next")),
		fixtures.With(fixtures.Container("app", append(failsOnce("app"), workload.ReportFile(turns))...)),
		fixtures.SharedDir)...)
}

func failsOnce(name string) []workload.Step {
	return []workload.Step{workload.AppendAttempt(turns, name), workload.FailTimes(fixtures.SharedFile("attempts-of-"+name), 1, 7)}
}
