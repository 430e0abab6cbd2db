package termination

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

// unhurried is a time, in seconds, that a kubelet which does not wait would not
// give: it always leaves a container two seconds, and may be slow.
const unhurried = 8

// inNoHurry leaves a Pod that ends when it is asked to the time that a busy node may
// need for it.
var inNoHurry = fixtures.GracePeriod(30)

// stubborn goes on when it is asked to end.
func stubborn() []workload.Step {
	return []workload.Step{workload.OnTerm(workload.Ignore()), workload.Serve()}
}

func signals(cluster *scene.Cluster) {
	It("asks a container to end with SIGTERM and lets it finish", requirement.Checks("TERM-02"), func(ctx SpecContext) {
		s := cluster.Open(ctx)
		pod := s.CreatePod(ctx, fixtures.Pod("polite", fixtures.GracePeriod(ample),
			fixtures.With(fixtures.Container("app",
				workload.OnTerm(workload.Report("asked to end"), workload.Sleep(unhurried*time.Second), workload.Report("done")), workload.Serve()))))
		s.HastenAtEnd(pod)
		s.Await(ctx, limit.PodReady, judge.IsReady(pod))

		s.DeletePod(ctx, pod)

		s.Await(ctx, limit.PodGone, judge.Gone(pod))
		Expect(s.History).To(judge.Attempts(pod, "app", 0))
		Expect(s.History).To(judge.Reported(pod, "app", "asked to end", "done"))
		s.SawContainers(pod)
	})

	It("kills a container that goes on when its grace period is over, and not before", requirement.Checks("TERM-02"), func(ctx SpecContext) {
		s := cluster.Open(ctx)
		pod := s.CreatePod(ctx, fixtures.Pod("stubborn", fixtures.GracePeriod(unhurried), fixtures.With(fixtures.Container("app", stubborn()...))))
		s.Await(ctx, limit.PodReady, judge.IsReady(pod))

		s.DeletePod(ctx, pod)

		s.Await(ctx, limit.PodGone, judge.Gone(pod))
		Expect(s.History).To(judge.Attempts(pod, "app", 137))
		Expect(s.History).To(judge.LastsAfterDeletion(pod, "app", unhurried*time.Second))
		s.SawContainers(pod)
	})

	It("shows a Pod as Succeeded or Failed, by the ends of its containers, before the Pod is removed", requirement.Checks("TERM-05"), func(ctx SpecContext) {
		s := cluster.Open(ctx)
		good := s.CreatePod(ctx, fixtures.Pod("good", inNoHurry))
		bad := s.CreatePod(ctx, fixtures.Pod("bad", inNoHurry, fixtures.With(
			fixtures.Container("app", workload.OnTerm(workload.Exit(7)), workload.Serve()),
			fixtures.Container("other", workload.Serve()))))
		s.Await(ctx, limit.PodReady, judge.IsReady(good).And(judge.IsReady(bad)))

		s.DeletePod(ctx, good)
		s.DeletePod(ctx, bad)

		s.Await(ctx, limit.PodGone, judge.Gone(good).And(judge.Gone(bad)))
		Expect(s.History).To(judge.RemovedIn(good, corev1.PodSucceeded))
		Expect(s.History).To(judge.RemovedIn(bad, corev1.PodFailed))
		s.SawContainers(good, bad)
	})
}
