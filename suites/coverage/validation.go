package coverage

import (
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

// other is a label that the fixtures do not carry by themselves.
var other = map[string]string{"app.kubernetes.io/name": "other"}

func validation(cluster *scene.Cluster) {
	create := func(ctx SpecContext, change func(*appsv1.DaemonSet)) error {
		daemonSet := fixtures.DaemonSet("agent")
		change(daemonSet)
		_, err := cluster.Desk(ctx).DaemonSet(ctx, daemonSet)
		return err
	}

	It("is accepted only if its selector selects its own Pods", requirement.Checks("COV-27"), func(ctx SpecContext) {
		Expect(create(ctx, unchanged)).To(Succeed())

		Expect(create(ctx, func(d *appsv1.DaemonSet) { d.Spec.Selector.MatchLabels = other })).
			To(judge.RefusedAt("spec.template.metadata.labels"))
		Expect(create(ctx, func(d *appsv1.DaemonSet) { d.Spec.Selector = &metav1.LabelSelector{} })).
			To(judge.RefusedAt("spec.selector"))
		scene.Saw("a selector that fits is accepted, one that does not fit and an empty one are refused")
	})

	It("never changes its selector", requirement.Checks("COV-28"), func(ctx SpecContext) {
		stage := cluster.Open(ctx)
		stored := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("agent", fixtures.Nowhere))
		update := func(change func(*appsv1.DaemonSet)) error { return tryUpdate(ctx, stage, stored, change) }

		Expect(update(fixtures.Version("2"))).To(Succeed())

		Expect(update(func(d *appsv1.DaemonSet) {
			d.Spec.Selector.MatchLabels, d.Spec.Template.Labels = other, other
		})).To(judge.RefusedAt("spec.selector"))
		scene.Saw("a new annotation of the template is accepted, a new selector is refused")
	})

	It("is accepted only if its Pods are to run for ever", requirement.Checks("COV-29"), func(ctx SpecContext) {
		Expect(create(ctx, restart(corev1.RestartPolicyAlways))).To(Succeed())

		for _, policy := range []corev1.RestartPolicy{corev1.RestartPolicyOnFailure, corev1.RestartPolicyNever} {
			Expect(create(ctx, restart(policy))).To(judge.RefusedAt("spec.template.spec.restartPolicy"))
		}
		Expect(create(ctx, func(d *appsv1.DaemonSet) { d.Spec.Template.Spec.ActiveDeadlineSeconds = ptr.To(int64(60)) })).
			To(judge.RefusedAt("spec.template.spec.activeDeadlineSeconds"))
		scene.Saw("restartPolicy Always is accepted; OnFailure, Never and a deadline are refused")
	})

	It("cannot be scaled", requirement.Checks("COV-38"), func(ctx SpecContext) {
		resources, err := cluster.Client.Discovery().ServerResourcesForGroupVersion(appsv1.SchemeGroupVersion.String())
		scene.Must(err)
		offers := func(name string) bool {
			return slices.ContainsFunc(resources.APIResources, func(r metav1.APIResource) bool { return r.Name == name })
		}

		Expect(offers("daemonsets")).To(BeTrue())
		Expect(offers("deployments/scale")).To(BeTrue(), "the contrast: other workloads can be scaled")
		Expect(offers("daemonsets/scale")).To(BeFalse())
		scene.Saw("the API has deployments/scale and no daemonsets/scale")
	})
}

func unchanged(*appsv1.DaemonSet) {}

func restart(policy corev1.RestartPolicy) func(*appsv1.DaemonSet) {
	return func(d *appsv1.DaemonSet) { d.Spec.Template.Spec.RestartPolicy = policy }
}

// tryUpdate asks what the API server would say to a change. Without a resource
// version the answer does not depend on the controller's own writes.
func tryUpdate(ctx SpecContext, stage *scene.Scene, stored *appsv1.DaemonSet, change func(*appsv1.DaemonSet)) error {
	changed := stored.DeepCopy()
	changed.ResourceVersion = ""
	change(changed)
	_, err := stage.Client.AppsV1().DaemonSets(stage.Namespace).Update(ctx, changed, metav1.UpdateOptions{DryRun: []string{metav1.DryRunAll}})
	return err
}
