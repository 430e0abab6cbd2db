package termination

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/fixtures/workload"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

// brief changes the template to one whose Pods end soon, whatever they do.
func brief(d *appsv1.DaemonSet) { fixtures.GracePeriod(2)(&d.Spec.Template) }

func rollingUpdate(cluster *scene.Cluster) {
	It("lets the Pods of a DaemonSet finish in a rolling update, and does not wait longer than they take", requirement.Checks("TERM-06"), func(ctx SpecContext) {
		s := cluster.Open(ctx)
		polite := fixtures.Container("app",
			workload.OnTerm(workload.Report("asked to end"), workload.Sleep(time.Second), workload.Report("done")), workload.Serve())
		agent := s.CreateDaemonSet(ctx, fixtures.RollingUpdate(
			fixtures.DaemonSet("agent", s.OnSome(1, 1), fixtures.GracePeriod(ample), fixtures.With(polite)), ptr.To(intstr.FromString("100%")), nil))
		nodes := s.Targets(agent, 1)
		before := s.Await(ctx, limit.PodReady, judge.ReadyOnEach(agent.UID, nodes)).PodsOf(agent.UID)

		for _, pod := range before {
			s.HastenAtEnd(pod)
		}

		s.UpdateDaemonSet(ctx, agent.Name, brief)

		for _, pod := range before {
			s.Await(ctx, limit.Rollout, judge.Gone(pod))
			Expect(s.History).To(judge.Attempts(pod, "app", 0))
			Expect(s.History).To(judge.Reported(pod, "app", "asked to end", "done"))
			s.SawContainers(pod)
		}
		s.Await(ctx, limit.Rollout, judge.ReadyOnEach(agent.UID, nodes))
	})
}
