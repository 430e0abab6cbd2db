package judge_test

import (
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"rollcall.dev/rollcall/framework/judge"
)

func TestAllCovered(t *testing.T) {
	roster := map[string]types.UID{"a": "uid-a", "b": "uid-b"}
	both := []step{added(node("a")), added(node("b")), added(agent())}
	readyOn := func(name string) step { return added(pod("pod-"+name, name, bound(name), ready)) }
	gone := agent(func(d *appsv1.DaemonSet) { d.DeletionTimestamp = ptr.To(metav1.Unix(1, 0)) })
	tainted := node("b", taint("gpu", corev1.TaintEffectNoSchedule))
	for name, c := range map[string]struct {
		story []step
		lacks string
	}{
		"covered":                       {with(both, readyOn("a"), readyOn("b")), ""},
		"one without":                   {with(both, readyOn("a")), "agent has none on b (Ready)"},
		"one that is not Ready":         {with(both, readyOn("a"), added(pod("pod-b", "b", bound("b")))), "none on b"},
		"one that is on its way out":    {with(both, readyOn("a"), added(pod("pod-b", "b", bound("b"), ready, asked))), "none on b"},
		"both without":                  {both, "none on a (Ready), b (Ready)"},
		"a second one beside it":        {with(both, readyOn("a"), readyOn("b"), added(pod("more", "b", bound("b"), ready))), ""},
		"two on one do not make up":     {with(both, readyOn("a"), added(pod("more", "a", bound("a"), ready))), "none on b"},
		"tainted against it":            {with(both, changed(tainted), readyOn("a")), ""},
		"left where it does not belong": {with(both, readyOn("a"), readyOn("b"), changed(tainted)), ""},
		"a node off the roster":         {with(both, added(node("c")), readyOn("a"), readyOn("b")), ""},
		"a DaemonSet that is deleted":   {with(both, changed(gone)), ""},
	} {
		got := judge.AllCovered(roster).Lacks(tell(c.story...).Latest())
		if (got == "") != (c.lacks == "") || !strings.Contains(got, c.lacks) {
			t.Errorf("%s: %q", name, got)
		}
	}
}
