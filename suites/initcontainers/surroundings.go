package initcontainers

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

func surroundings(cluster *scene.Cluster) {
	It("gives an init container its own environment, downward API, volumes and security context", requirement.Checks("INI-17"), func(ctx SpecContext) {
		s := cluster.Open(ctx)
		pod := s.CreatePod(ctx, fixtures.Pod("equipped",
			fixtures.Restart(corev1.RestartPolicyNever),
			fixtures.Init(
				knowing(fixtures.Container("knows", workload.Report("$(WORD) from $(POD)"), workload.Write(fixtures.SharedFile("note"), "seen"))),
				fixtures.Container("writes", workload.Write("/tmp/own", "anything"), workload.Expect(fixtures.SharedFile("note"), "seen")),
				sealed(fixtures.Container("sealed", workload.Write("/tmp/own", "anything")))),
			fixtures.SharedDir))

		s.Await(ctx, limit.InitSequence, judge.Finishes(pod))

		Expect(s.History).To(judge.Reported(pod, "knows", "hello from equipped"))
		Expect(s.History).To(judge.Attempts(pod, "writes", 0))
		Expect(s.History).To(judge.Attempts(pod, "sealed", 1), "a read-only root file system is that container's alone")
		s.SawContainers(pod)
	})
}

// knowing gives a container two variables, one of them from the downward API.
func knowing(container corev1.Container) corev1.Container {
	container.Env = []corev1.EnvVar{
		{Name: "WORD", Value: "hello"},
		{Name: "POD", ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{FieldPath: "metadata.name"}}},
	}
	return container
}

// sealed makes a container's root file system read-only.
func sealed(container corev1.Container) corev1.Container {
	container.SecurityContext.ReadOnlyRootFilesystem = ptr.To(true)
	return container
}

func endpoints(cluster *scene.Cluster) {
	It("keeps a Pod from the ready endpoints of its Service until it has initialized", requirement.Checks("INI-19"), func(ctx SpecContext) {
		s := cluster.Open(ctx)
		s.CreateService(ctx, "agents", fixtures.Pod("any").Labels)
		pod := s.CreatePod(ctx, fixtures.Pod("initializing", fixtures.Init(fixtures.Container("prepare", fixtures.AwaitGate("go"))), fixtures.Gate))
		s.Await(ctx, limit.PodReady, judge.Running(pod, "prepare", 1))
		// The contrast: a Pod of the same Service with nothing to initialize.
		contrast := s.CreatePod(ctx, fixtures.Pod("contrast"))
		s.Await(ctx, limit.PodReady, judge.ReadyEndpoint(contrast))
		Expect(s.History).To(judge.Always(judge.NoReadyEndpoint(pod)))

		s.AnnotatePod(ctx, pod.Name, fixtures.GateAnnotation, "go")

		s.Await(ctx, limit.Restart, judge.ReadyEndpoint(pod))
		s.SawContainers(pod)
	})
}
