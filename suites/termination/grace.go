package termination

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

func grace(cluster *scene.Cluster) {
	It("is 30 seconds for a Pod and for a DaemonSet's Pods if nothing else is said", requirement.Checks("TERM-01"), func(ctx SpecContext) {
		desk := cluster.Desk(ctx)
		pod, daemonSet := fixtures.Pod("agent"), fixtures.DaemonSet("agent")
		pod.Spec.TerminationGracePeriodSeconds = nil
		daemonSet.Spec.Template.Spec.TerminationGracePeriodSeconds = nil

		storedPod, err := desk.Pod(ctx, pod)
		scene.Must(err)
		storedDaemonSet, err := desk.DaemonSet(ctx, daemonSet)
		scene.Must(err)

		Expect(storedPod.Spec.TerminationGracePeriodSeconds).To(HaveValue(BeEquivalentTo(30)))
		Expect(storedDaemonSet.Spec.Template.Spec.TerminationGracePeriodSeconds).To(HaveValue(BeEquivalentTo(30)))
	})

	It("is what the Pod says when its deletion does not say otherwise", requirement.Checks("TERM-01"), func(ctx SpecContext) {
		s := cluster.Open(ctx)
		pod := s.CreatePod(ctx, fixtures.Pod("agent", fixtures.GracePeriod(77)))
		s.Await(ctx, limit.PodReady, judge.IsReady(pod))

		s.DeletePod(ctx, pod)

		s.Await(ctx, limit.PodGone, judge.Gone(pod)) // the app ends at once
		Expect(s.History).To(judge.GraceGranted(pod, 77))
		s.SawContainers(pod)
	})
}
