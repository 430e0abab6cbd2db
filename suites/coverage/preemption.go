package coverage

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

// Of the 4 CPUs of a simulated node, most are taken, so that two that want most
// of them have no room beside each other.
const mostOfIt, some = "3500m", "1"

// critical is a PriorityClass that every cluster has.
const critical = "system-node-critical"

func preemption(cluster *scene.Cluster) {
	It("takes the place of a Pod of lower priority, and waits beside one of its own", requirement.Checks("COV-25"), func(ctx SpecContext) {
		stage := cluster.OpenApart(ctx)
		skipIfRefused(ctx, stage, fixtures.Pod("trial", priority(critical)))
		made := stage.SimulateNode(ctx)
		here := fixtures.OnlyOn(made.Node.Name, made.Fence)
		filler := stage.CreatePod(ctx, fixtures.Pod("filler", here, fixtures.With(asking(mostOfIt))))
		stage.Await(ctx, limit.PodReady, judge.Is(filler, "is Ready", judge.Ready))

		// The contrast: a DaemonSet of the filler's own priority.
		equal := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("equal", here, fixtures.With(asking(some))))
		stage.Await(ctx, limit.Placement, judge.EachPod(equal.UID, "is found not to fit", fitting))
		stage.Hold(ctx, settled, "it takes nobody's place") // the scheduler may take one after it has said so
		Expect(stage.History).To(judge.Undisturbed(filler))
		higher := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("higher", here, fixtures.With(asking(mostOfIt)), priority(critical)))

		awaitCovered(ctx, stage, higher, stage.Targets(higher, 1))
		stage.Await(ctx, limit.PodGone, judge.Gone(filler))
		Expect(stage.History).To(judge.Preempted(filler))
		Expect(stage.History).To(judge.EveryPod(equal.UID, "stays unbound", judge.Bound))
	})
}

func asking(cpu string) corev1.Container {
	container := fixtures.Container("app", workload.Serve())
	container.Resources = fixtures.Resources(cpu, "16Mi", "", "64Mi")
	return container
}

func priority(class string) fixtures.PodOption {
	return func(t *corev1.PodTemplateSpec) { t.Spec.PriorityClassName = class }
}

// skipIfRefused skips the spec where the cluster keeps Pods like this one out of
// ordinary namespaces, as some do with the priorities of the system.
func skipIfRefused(ctx SpecContext, stage *scene.Scene, pod *corev1.Pod) {
	GinkgoHelper()
	if _, err := stage.Desk().Pod(ctx, pod); err != nil {
		Skip("the cluster refuses a Pod of PriorityClass " + pod.Spec.PriorityClassName + ": " + err.Error())
	}
}
