package initcontainers

import (
	"syscall"

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

func exitCodes(cluster *scene.Cluster) {
	for _, example := range []struct {
		text   string
		ending workload.Step
		code   int32
	}{
		{"that ended by itself", workload.Exit(42), 42},
		{"that was killed with SIGKILL", workload.Kill(int(syscall.SIGKILL)), 137},
	} {
		It("tells the exit code, the reason and the times of an init container "+example.text, requirement.Checks("INI-09"), func(ctx SpecContext) {
			s := cluster.Open(ctx)
			pod := s.CreatePod(ctx, fixtures.Pod("ending",
				fixtures.Restart(corev1.RestartPolicyNever),
				fixtures.Init(fixtures.Container("ends", example.ending), fixtures.Container("next")),
				sharedProcesses))

			s.Await(ctx, limit.PodReady, judge.InPhase(pod, corev1.PodFailed))

			Expect(s.History).To(judge.Attempts(pod, "ends", example.code))
			Expect(s.History).To(judge.EndExplained(pod, "ends"))
			s.SawContainers(pod)
		})
	}
}

// sharedProcesses makes a container an ordinary process, which a signal can
// kill; the first process of a PID namespace is protected.
func sharedProcesses(t *corev1.PodTemplateSpec) { t.Spec.ShareProcessNamespace = ptr.To(true) }
