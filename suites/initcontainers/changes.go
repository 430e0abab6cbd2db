package initcontainers

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/fixtures/workload"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

func changes(cluster *scene.Cluster) {
	It("does not restart a Pod whose completed init container gets another image", requirement.Checks("INI-14"), func(ctx SpecContext) {
		s := cluster.Open(ctx)
		pod := s.CreatePod(ctx, fixtures.Pod("settled",
			fixtures.Restart(corev1.RestartPolicyOnFailure),
			fixtures.Init(fixtures.Container("prepare")),
			fixtures.With(fixtures.Container("app", fixtures.AwaitGate("go"))), fixtures.Gate))
		s.Await(ctx, limit.InitSequence, judge.Running(pod, "app", 1))

		s.UpdatePod(ctx, pod.Name, "change the image of init container prepare", func(pod *corev1.Pod) {
			pod.Spec.InitContainers[0].Image = "rollcall.dev/does-not-exist:none"
		})

		s.Hold(ctx, standstill, "the app runs on")
		// Once the app has seen the later annotation, the kubelet knows the image.
		s.AnnotatePod(ctx, pod.Name, fixtures.GateAnnotation, "go")
		s.Await(ctx, limit.Restart, judge.InPhase(pod, corev1.PodSucceeded))
		Expect(s.History).To(judge.Attempts(pod, "prepare", 0))
		Expect(s.History).To(judge.Attempts(pod, "app", 0))
		s.SawContainers(pod)
	})

	It("fails a Pod that still initializes when its active deadline is over", requirement.Checks("INI-16"), func(ctx SpecContext) {
		s := cluster.Open(ctx)
		// The contrast: the same Pod without a deadline, which goes on initializing.
		contrast := s.CreatePod(ctx, fixtures.Pod("patient", fixtures.Init(fixtures.Container("endless", workload.Serve()))))
		s.Await(ctx, limit.PodReady, judge.Running(contrast, "endless", 1))

		pod := s.CreatePod(ctx, fixtures.Pod("late", deadline(5), fixtures.Init(fixtures.Container("endless", workload.Serve()))))

		state := s.Await(ctx, limit.Restart, judge.InPhase(pod, corev1.PodFailed))
		Expect(state.Pod(pod.Name).Status.Reason).To(Equal("DeadlineExceeded"))
		Expect(s.History).To(judge.NeverStarted(pod, "app"))
		Expect(s.History).To(judge.Running(contrast, "endless", 1).And(judge.Initializing(contrast)))
		s.SawContainers(pod)
	})
}

// deadline limits how long the Pod may be active, in seconds.
func deadline(seconds int64) fixtures.PodOption {
	return func(t *corev1.PodTemplateSpec) { t.Spec.ActiveDeadlineSeconds = ptr.To(seconds) }
}

// backOffs are the pauses that the kubelet makes before the third and the fourth
// attempt, less the second to which a status is rounded.
var backOffs = []time.Duration{9 * time.Second, 19 * time.Second}

func pauses(cluster *scene.Cluster) {
	It("waits longer and longer before it restarts a failing init container: 10 seconds, then 20", requirement.Checks("INI-08"), func(ctx SpecContext) {
		s := cluster.Open(ctx)
		pod := s.CreatePod(ctx, failingPod("failing", corev1.RestartPolicyAlways))

		s.Await(ctx, limit.InitSequence, judge.BacksOff(pod, "fails", make([]time.Duration, len(backOffs))...).Of(s.History.History))

		Expect(s.History).To(judge.BacksOff(pod, "fails", backOffs...))
		for attempt, pause := range judge.Pauses(s.History.History, pod, "fails") {
			scene.Saw("%s after attempt %d", pause, attempt)
		}
	})
}
