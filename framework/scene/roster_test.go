package scene

import (
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	"rollcall.dev/rollcall/framework/history"
)

func nodeOf(name string, changes ...func(*corev1.Node)) *corev1.Node {
	n := &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID("uid-" + name), Labels: map[string]string{}},
		Status:     corev1.NodeStatus{Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}},
	}
	for _, change := range changes {
		change(n)
	}
	return n
}

func cordoned(n *corev1.Node) { n.Spec.Unschedulable = true }
func virtual(n *corev1.Node)  { n.Labels["type"] = "virtual-kubelet" }
func another(n *corev1.Node)  { n.UID = "uid-another" }

func TestRosterChanges(t *testing.T) {
	began := time.Unix(100, 0)
	early, late := began.Add(-time.Second), began.Add(time.Second)
	type change struct {
		at   time.Time
		what watch.EventType
		node *corev1.Node
	}
	both := []change{{early, watch.Added, nodeOf("a")}, {early, watch.Added, nodeOf("b")}}
	for name, c := range map[string]struct {
		story []change
		want  []string
	}{
		"nothing happens":           {both, nil},
		"a heartbeat":               {append(both[:2:2], change{late, watch.Modified, nodeOf("a", func(n *corev1.Node) { n.ResourceVersion = "2" })}), nil},
		"a cordon":                  {append(both[:2:2], change{late, watch.Modified, nodeOf("a", cordoned)}), []string{"a was Ready (UID uid-a) and became Ready, cordoned"}},
		"one leaves":                {append(both[:2:2], change{late, watch.Deleted, nodeOf("b")}), []string{"b was Ready (UID uid-b) and became gone"}},
		"one is replaced":           {append(both[:2:2], change{late, watch.Deleted, nodeOf("b")}, change{late, watch.Added, nodeOf("b", another)}), []string{"became gone", "b was gone and became Ready (UID uid-another)"}},
		"one joins":                 {append(both[:2:2], change{late, watch.Added, nodeOf("c")}), []string{"c joined"}},
		"a virtual one joins":       {append(both[:2:2], change{late, watch.Added, nodeOf("v", virtual)}), nil},
		"an excluded one was there": {append(both[:2:2], change{early, watch.Added, nodeOf("v")}, change{late, watch.Modified, nodeOf("v", cordoned)}), nil},
		"one had left before":       {both[:1], []string{"b left before the spec began"}},
		"one was replaced before":   {[]change{both[0], {early, watch.Added, nodeOf("b", another)}}, []string{"b was replaced by another machine before"}},
	} {
		stage := &Scene{
			Cluster: &Cluster{Roster: map[string]types.UID{"a": "uid-a", "b": "uid-b"}},
			History: &history.Recorder{History: history.New(), Began: began},
		}
		for _, step := range c.story {
			stage.History.AppendAt(step.at, history.Node, step.what, step.node)
		}
		got := stage.rosterChanges()
		if !slices.EqualFunc(got, c.want, strings.Contains) {
			t.Errorf("%s: got %q", name, got)
		}
	}
}
