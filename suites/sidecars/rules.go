package sidecars

import (
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

func rules(cluster *scene.Cluster) {
	It("fails a Pod with restartPolicy Always at the first failure of an init container with restartPolicy Never", requirement.Checks("SID-10"), func(ctx SpecContext) {
		s := cluster.Open(ctx)
		pod := s.CreatePod(ctx, fixtures.Pod("never",
			fixtures.Init(restarting(fixtures.Container("fails", workload.Exit(7)), corev1.ContainerRestartPolicyNever))))

		s.Await(ctx, limit.InitSequence, judge.InPhase(pod, corev1.PodFailed))

		Expect(s.History).To(judge.Attempts(pod, "fails", 7))
		Expect(s.History).To(judge.NeverStarted(pod, "app"))
		s.SawContainers(pod)
	})

	It("restarts an app container with restartPolicy Never after an exit code that its rules name, and after no other", requirement.Checks("SID-10"), func(ctx SpecContext) {
		s := cluster.Open(ctx)
		app := restarting(fixtures.Container("app", workload.FailTimes(attempts, 1, 42), workload.Exit(7)),
			corev1.ContainerRestartPolicyNever, restartOn(42))
		pod := s.CreatePod(ctx, fixtures.Pod("rules", fixtures.Restart(corev1.RestartPolicyNever), fixtures.With(app), fixtures.SharedDir))

		s.Await(ctx, limit.InitSequence, judge.InPhase(pod, corev1.PodFailed))

		Expect(s.History).To(judge.Attempts(pod, "app", 42, 7))
		s.SawContainers(pod)
	})

	It("refuses rules of a container without a restart policy of its own", requirement.Checks("SID-10"), func(ctx SpecContext) {
		desk := cluster.Desk(ctx)
		valid := restarting(fixtures.Container("init"), corev1.ContainerRestartPolicyNever, restartOn(42))
		_, err := desk.Pod(ctx, fixtures.Pod("valid", fixtures.Init(valid)))
		Expect(err).NotTo(HaveOccurred(), "the same Pod without the mistake")
		invalid := *valid.DeepCopy()
		invalid.RestartPolicy = nil

		_, err = desk.Pod(ctx, fixtures.Pod("invalid", fixtures.Init(invalid)))

		Expect(err).To(judge.RefusedAt("spec.initContainers[0].restartPolicy"))
		scene.Saw("refused: %v", err)
	})
}

// restarting gives a container a restart policy of its own.
func restarting(container corev1.Container, policy corev1.ContainerRestartPolicy, rules ...corev1.ContainerRestartRule) corev1.Container {
	container.RestartPolicy, container.RestartPolicyRules = ptr.To(policy), rules
	return container
}

// restartOn is the rule to restart a container that ended with the code.
func restartOn(code int32) corev1.ContainerRestartRule {
	return corev1.ContainerRestartRule{
		Action: corev1.ContainerRestartRuleActionRestart,
		ExitCodes: &corev1.ContainerRestartRuleOnExitCodes{
			Operator: corev1.ContainerRestartRuleOnExitCodesOpIn, Values: []int32{code},
		},
	}
}
