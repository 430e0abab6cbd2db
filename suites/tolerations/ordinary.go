package tolerations

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

// documentedSeconds is how long an ordinary Pod stays on a node in trouble,
// unless the API server's flags say otherwise.
// https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/#taint-based-evictions
const documentedSeconds = 300

func ordinary(cluster *scene.Cluster) {
	It("lets an ordinary Pod stay on a node in trouble for some minutes", requirement.Checks("TOL-06"), func(ctx SpecContext) {
		got, err := cluster.Desk(ctx).Pod(ctx, fixtures.Pod("ordinary"))

		scene.Must(err)
		for _, taint := range []corev1.Taint{notReady, unreachable} {
			Expect(judge.TolerationsFor(got, taint.Key)).To(HaveExactElements(timedToleration(taint)))
			seconds := *judge.TolerationsFor(got, taint.Key)[0].TolerationSeconds
			scene.Saw("%s is tolerated for %d s%s", taint.ToString(), seconds, remark(seconds))
		}
	})

	It("leaves the tolerations alone that an ordinary Pod names itself", requirement.Checks("TOL-06"), func(ctx SpecContext) {
		own := forSeconds(notReady.Key, notReady.Effect, 7)

		got, err := cluster.Desk(ctx).Pod(ctx, fixtures.Pod("ordinary", fixtures.Tolerate(own)))

		scene.Must(err)
		scene.Saw("the Pod would have the tolerations %s", judge.DescribeTolerations(got.Spec.Tolerations))
		Expect(judge.TolerationsFor(got, notReady.Key)).To(HaveExactElements(own))
		Expect(judge.TolerationsFor(got, unreachable.Key)).To(HaveExactElements(timedToleration(unreachable)))
	})
}

// timedToleration matches a toleration of a taint for a number of seconds.
func timedToleration(taint corev1.Taint) OmegaMatcher {
	return And(
		HaveField("Effect", taint.Effect),
		HaveField("Operator", corev1.TolerationOpExists),
		HaveField("TolerationSeconds", HaveValue(BeNumerically(">", 0))),
	)
}

func remark(seconds int64) string {
	if seconds == documentedSeconds {
		return ""
	}
	return fmt.Sprintf(", not %d: the API server's flags say so", documentedSeconds)
}

func seconds(cluster *scene.Cluster) {
	It("accepts tolerationSeconds with the effect NoExecute only", requirement.Checks("TOL-16"), func(ctx SpecContext) {
		limited := func(effect corev1.TaintEffect) error {
			toleration := forSeconds("rollcall.dev/own", effect, 10)
			_, err := cluster.Desk(ctx).Pod(ctx, fixtures.Pod("ordinary", fixtures.Tolerate(toleration)))
			return err
		}

		Expect(limited(corev1.TaintEffectNoExecute)).To(Succeed())
		for _, effect := range []corev1.TaintEffect{corev1.TaintEffectNoSchedule, corev1.TaintEffectPreferNoSchedule, ""} {
			err := limited(effect)
			Expect(err).To(judge.RefusedAt("spec.tolerations[0].effect"))
			scene.Saw("with the effect %q: %s", effect, strings.TrimSpace(err.Error()))
		}
	})
}
