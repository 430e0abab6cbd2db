package judge_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"rollcall.dev/rollcall/framework/judge"
)

func TestNotAimed(t *testing.T) {
	_, nodes := threeNodes()
	spread := &corev1.PodAntiAffinity{PreferredDuringSchedulingIgnoredDuringExecution: []corev1.WeightedPodAffinityTerm{{Weight: 1}}}
	template := corev1.PodSpec{
		NodeSelector: map[string]string{corev1.LabelOSStable: "linux"},
		Affinity:     terms(all(where(corev1.LabelHostname, "Exists"))).Affinity,
	}
	template.Affinity.PodAntiAffinity = spread
	fault := judge.NotAimed(template, nodes)
	as := func(changes ...func(*corev1.Pod)) *corev1.Pod {
		p := pod("1", "a", func(p *corev1.Pod) {
			p.Spec.NodeSelector, p.Spec.Affinity.PodAntiAffinity = template.NodeSelector, spread
		})
		for _, change := range changes {
			change(p)
		}
		return p
	}
	required := func(p *corev1.Pod) *corev1.NodeSelector {
		return p.Spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
	}

	for _, good := range []*corev1.Pod{as(), as(bound("a")), as(func(p *corev1.Pod) { required(p).NodeSelectorTerms[0].MatchFields[0].Values[0] = "virtual" })} {
		if wrong := fault(good); wrong != "" {
			t.Error(wrong)
		}
	}
	for name, change := range map[string]func(*corev1.Pod){
		"no affinity":             func(p *corev1.Pod) { p.Spec.Affinity = nil },
		"bound by the controller": func(p *corev1.Pod) { p.Spec.Affinity.NodeAffinity = nil; p.Spec.NodeName = "a" },
		"the template's kept":     func(p *corev1.Pod) { p.Spec.Affinity = template.Affinity },
		"a second term": func(p *corev1.Pod) {
			required(p).NodeSelectorTerms = append(required(p).NodeSelectorTerms, all(where(corev1.LabelHostname, "Exists")))
		},
		"an expression beside": func(p *corev1.Pod) {
			required(p).NodeSelectorTerms[0].MatchExpressions = all(where(corev1.LabelHostname, "Exists")).MatchExpressions
		},
		"two names":            func(p *corev1.Pod) { required(p).NodeSelectorTerms[0].MatchFields[0].Values = []string{"a", "b"} },
		"not in":               func(p *corev1.Pod) { required(p).NodeSelectorTerms[0].MatchFields[0].Operator = "NotIn" },
		"a node it must avoid": func(p *corev1.Pod) { required(p).NodeSelectorTerms[0].MatchFields[0].Values[0] = "c" },
		"bound elsewhere":      bound("b"),
		"selector lost":        func(p *corev1.Pod) { p.Spec.NodeSelector = nil },
		"other affinity lost":  func(p *corev1.Pod) { p.Spec.Affinity.PodAntiAffinity = nil },
	} {
		if fault(as(change)) == "" {
			t.Errorf("%s: not found", name)
		}
	}
}

func TestNotAimedWithoutAffinityInTheTemplate(t *testing.T) {
	_, nodes := threeNodes()
	if wrong := judge.NotAimed(corev1.PodSpec{}, nodes)(pod("1", "a")); wrong != "" {
		t.Error(wrong)
	}
}
