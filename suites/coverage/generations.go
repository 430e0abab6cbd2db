package coverage

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

func generations(cluster *scene.Cluster) {
	It("reports in observedGeneration which spec its status is about", requirement.Checks("COV-17"), func(ctx SpecContext) {
		stage := cluster.Open(ctx)
		created := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("agent", fixtures.Nowhere))
		stage.Await(ctx, limit.Status, observes(created))

		changed := stage.UpdateDaemonSet(ctx, created.Name, fixtures.Version("2"))

		stage.Await(ctx, limit.Status, observes(changed))
		annotated := stage.UpdateDaemonSet(ctx, created.Name, func(d *appsv1.DaemonSet) {
			metav1.SetMetaDataAnnotation(&d.ObjectMeta, fixtures.VersionAnnotation, "2")
		})
		scene.Saw("generation %d when created, %d after a change of the template, %d after an annotation", created.Generation, changed.Generation, annotated.Generation)
		Expect(changed.Generation).To(BeNumerically(">", created.Generation))
		Expect(annotated.Generation).To(Equal(changed.Generation), "an annotation is no change of the spec")
		Expect(stage.History).To(judge.ObservedFollows(created.UID))
	})
}

// observes is the condition that a status describes this version of a spec.
func observes(daemonSet *appsv1.DaemonSet) judge.Condition {
	return judge.Observed(daemonSet.Name, "that it has seen its newest spec", func(s appsv1.DaemonSetStatus) bool {
		return s.ObservedGeneration == daemonSet.Generation
	})
}
