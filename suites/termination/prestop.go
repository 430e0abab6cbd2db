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

// turns is the file in which a container and its handler note their turns, in
// the order in which they were written.
var turns = fixtures.SharedFile("turns")

func preStop(cluster *scene.Cluster) {
	It("runs the preStop handler to its end before it asks the container to end", requirement.Checks("TERM-03"), func(ctx SpecContext) {
		s := cluster.Open(ctx)
		app := beforeStop(fixtures.Container("app",
			workload.OnTerm(workload.Append(turns, "asked to end"), workload.ReportFile(turns)), workload.Serve()),
			workload.Append(turns, "handler begins"), workload.Sleep(time.Second), workload.Append(turns, "handler ends"))
		pod := s.CreatePod(ctx, fixtures.Pod("handled", fixtures.GracePeriod(ample), fixtures.With(app), fixtures.SharedDir))
		s.HastenAtEnd(pod)
		s.Await(ctx, limit.PodReady, judge.IsReady(pod))

		s.DeletePod(ctx, pod)

		s.Await(ctx, limit.PodGone, judge.Gone(pod))
		Expect(s.History).To(judge.Reported(pod, "app", "handler begins", "handler ends", "asked to end"))
		s.SawContainers(pod)
	})

	It("gives the preStop handler no more time than the grace period", requirement.Checks("TERM-03"), func(ctx SpecContext) {
		s := cluster.Open(ctx)
		app := beforeStop(fixtures.Container("app", workload.Serve()), workload.Sleep(ample*time.Second))
		pod := s.CreatePod(ctx, fixtures.Pod("endless", fixtures.GracePeriod(3), fixtures.With(app)))
		s.Await(ctx, limit.PodReady, judge.IsReady(pod))

		s.DeletePod(ctx, pod)

		s.Await(ctx, limit.PodGone, judge.Gone(pod))
		Expect(s.History).To(judge.LastsAfterDeletion(pod, "app", 3*time.Second))
		s.SawContainers(pod)
	})

	It("counts the time of the preStop handler as part of the grace period", requirement.Checks("TERM-03"), func(ctx SpecContext) {
		s := cluster.Open(ctx)
		app := beforeStop(fixtures.Container("app", stubborn()...), workload.Sleep(15*time.Second))
		pod := s.CreatePod(ctx, fixtures.Pod("handled", fixtures.GracePeriod(20), fixtures.With(app)))
		here := s.Await(ctx, limit.PodReady, judge.IsReady(pod)).Pod(pod.Name).Spec.NodeName
		// A handler whose time did not count would let the first Pod outlast this one.
		later := s.CreatePod(ctx, fixtures.Pod("later", fixtures.GracePeriod(28), fixtures.NodeName(here),
			fixtures.With(fixtures.Container("app", stubborn()...))))
		s.Await(ctx, limit.PodReady, judge.IsReady(later))

		s.DeletePod(ctx, later)
		s.DeletePod(ctx, pod)

		s.Await(ctx, limit.PodGone, judge.Gone(pod).And(judge.Gone(later)))
		Expect(s.History).To(judge.EndsBefore(pod, later, "app"))
		s.SawContainers(pod, later)
	})
}

// beforeStop gives a container a preStop handler.
func beforeStop(container corev1.Container, steps ...workload.Step) corev1.Container {
	container.Lifecycle = &corev1.Lifecycle{PreStop: &corev1.LifecycleHandler{Exec: fixtures.Exec(steps...)}}
	return container
}
