package scene

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"rollcall.dev/rollcall/fixtures"
)

func TestChanged(t *testing.T) {
	nothing, equal := corev1.ResourceRequirements{}, fixtures.Resources("100m", "64Mi", "100m", "64Mi")
	request, limitsOnly := fixtures.Resources("100m", "64Mi", "", ""), fixtures.Resources("", "", "100m", "64Mi")
	container := func(name string, resources corev1.ResourceRequirements) corev1.Container {
		return corev1.Container{Name: name, Resources: resources}
	}
	app := func(resources corev1.ResourceRequirements) fixtures.PodOption {
		return fixtures.With(container("app", resources))
	}
	initial := func(resources corev1.ResourceRequirements) fixtures.PodOption {
		return fixtures.Init(container("prepare", resources))
	}
	for name, c := range map[string]struct {
		asked, got *corev1.Pod
		want       string
	}{
		"as asked":                    {fixtures.Pod("p", app(equal)), fixtures.Pod("p", app(equal)), ""},
		"requests filled from limits": {fixtures.Pod("p", app(limitsOnly)), fixtures.Pod("p", app(equal)), ""},
		"other units":                 {fixtures.Pod("p", app(equal)), fixtures.Pod("p", app(fixtures.Resources("0.1", "65536Ki", "100m", "64Mi"))), ""},
		"limits added":                {fixtures.Pod("p", app(request)), fixtures.Pod("p", app(equal)), "container app"},
		"all added":                   {fixtures.Pod("p", app(nothing)), fixtures.Pod("p", app(equal)), "container app"},
		"one added":                   {fixtures.Pod("p", app(equal)), fixtures.Pod("p", app(equal), initial(nothing)), "2 containers of the 1"},
		"an init container changed":   {fixtures.Pod("p", app(equal), initial(nothing)), fixtures.Pod("p", app(equal), initial(equal)), "container prepare"},
	} {
		if got := changed(c.asked, c.got); c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}
