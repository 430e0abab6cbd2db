package coverage

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

// rule is one way to choose nodes by affinity.
type rule struct {
	name    string
	options []fixtures.PodOption
}

func affinity(cluster *scene.Cluster) {
	It("keeps to the nodes that its required node affinity matches, and ignores what is merely preferred", requirement.Checks("COV-03"), func(ctx SpecContext) {
		stage := cluster.Open(ctx)
		everywhere := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("everywhere", fixtures.Unscheduled))
		all := stage.Targets(everywhere, 2)

		var chosen []*appsv1.DaemonSet
		for _, rule := range rules(stage, all.Eligible[0], all.Eligible[1]) {
			chosen = append(chosen, stage.CreateDaemonSet(ctx, fixtures.DaemonSet(rule.name, append(rule.options, fixtures.Unscheduled)...)))
		}

		for _, daemonSet := range chosen {
			nodes := stage.Eligible(daemonSet)
			awaitPlaced(ctx, stage, daemonSet, nodes)
			scene.Saw("%s: a Pod for %s", daemonSet.Name, nodes)
			Expect(stage.History).To(judge.NeverElsewhere(daemonSet.UID, nodes), daemonSet.Name)
		}
		awaitPlaced(ctx, stage, everywhere, all)
	})
}

// rules are the documented ways in which terms and expressions combine, told by
// two nodes. No Pod of them starts: where it is aimed is all that matters.
func rules(stage *scene.Scene, one, other string) []rule {
	label, first, second := corev1.LabelHostname, hostname(stage, one), hostname(stage, other)
	in, notIn := corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn
	return []rule{
		{"in", required(term(expression(label, in, first)))},
		{"not-in", required(term(expression(label, notIn, first)))},
		{"exists", required(term(expression(label, corev1.NodeSelectorOpExists)))},
		{"does-not-exist", required(term(expression(label, corev1.NodeSelectorOpDoesNotExist)))},
		{"either-of-two-terms", required(term(expression(label, in, first)), term(expression(label, in, second)))},
		{"all-of-a-term", required(term(expression(label, in, first, second), expression(label, notIn, first)))},
		{"field-name", required(corev1.NodeSelectorTerm{MatchFields: []corev1.NodeSelectorRequirement{expression(metav1.ObjectNameField, in, other)}})},
		{"selector-and-term", append(required(term(expression(label, in, first, second))), fixtures.NodeSelector(label, first))},
		{"selector-against-term", append(required(term(expression(label, in, second))), fixtures.NodeSelector(label, first))},
		{"preferred", []fixtures.PodOption{fixtures.Affinity(preferred(term(expression(label, in, first))))}},
	}
}

func required(terms ...corev1.NodeSelectorTerm) []fixtures.PodOption {
	return []fixtures.PodOption{fixtures.Affinity(fixtures.NodeTerms(terms...))}
}

func preferred(term corev1.NodeSelectorTerm) *corev1.NodeAffinity {
	return &corev1.NodeAffinity{PreferredDuringSchedulingIgnoredDuringExecution: []corev1.PreferredSchedulingTerm{{Weight: 100, Preference: term}}}
}

func term(expressions ...corev1.NodeSelectorRequirement) corev1.NodeSelectorTerm {
	return corev1.NodeSelectorTerm{MatchExpressions: expressions}
}

func expression(key string, operator corev1.NodeSelectorOperator, values ...string) corev1.NodeSelectorRequirement {
	return corev1.NodeSelectorRequirement{Key: key, Operator: operator, Values: values}
}
