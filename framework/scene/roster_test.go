package scene

import (
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/node"
)

func nodeOf(name string, changes ...func(*corev1.Node)) *corev1.Node {
	n := &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID("uid-" + name), Labels: map[string]string{corev1.LabelOSStable: "linux"}},
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

// setOf is a DaemonSet that is on all nodes, if no option restricts it.
func setOf(options ...fixtures.PodOption) *appsv1.DaemonSet {
	set := fixtures.DaemonSet("agent", options...)
	set.UID = "uid-set"
	return set
}

func podOf(name string, options ...fixtures.PodOption) *corev1.Pod {
	pod := fixtures.Pod(name, options...)
	pod.UID = types.UID("uid-" + name)
	return pod
}

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
		stage.History.AppendAt(early, history.DaemonSet, watch.Added, setOf())
		for _, step := range c.story {
			stage.History.AppendAt(step.at, history.Node, step.what, step.node)
		}
		got := stage.rosterChanges()
		if !slices.EqualFunc(got, c.want, strings.Contains) {
			t.Errorf("%s: got %q", name, got)
		}
	}
}

func pooled(n *corev1.Node)   { n.Labels["pool"] = "edge" }
func reserved(n *corev1.Node) { n.Spec.Taints = []corev1.Taint{{Key: "own", Effect: "NoSchedule"}} }

// TestNodesOfConcern lets node b leave and node c join under specs of all kinds;
// nodes a and b were there at the start, and node d had left before.
func TestNodesOfConcern(t *testing.T) {
	onA, edge := fixtures.OnNodes("a"), fixtures.NodeSelector("pool", "edge")
	type objects []metav1.Object
	for name, c := range map[string]struct {
		spec objects
		b, c func(*corev1.Node)
		want string // the nodes of which something is told
	}{
		"no DaemonSet and no Pod":                         {nil, as, as, ""},
		"a DaemonSet on every node":                       {objects{setOf()}, as, as, "d b c"},
		"a DaemonSet on another node":                     {objects{setOf(onA)}, as, as, ""},
		"a DaemonSet on the node that leaves":             {objects{setOf(fixtures.OnNodes("a", "b"))}, as, as, "b"},
		"a DaemonSet on the node that had left":           {objects{setOf(fixtures.OnNodes("a", "d"))}, as, as, "d"},
		"a DaemonSet of a pool that neither is in":        {objects{setOf(edge)}, as, as, "d"},
		"a DaemonSet of a pool that the new one is in":    {objects{setOf(edge)}, as, pooled, "d c"},
		"a DaemonSet of a pool that the old one was in":   {objects{setOf(edge)}, pooled, as, "d b"},
		"a DaemonSet that had other nodes before":         {objects{setOf(fixtures.OnNodes("b")), setOf(onA)}, as, as, "b"},
		"a DaemonSet that gets other nodes":               {objects{setOf(onA), setOf(fixtures.OnNodes("b"))}, as, as, "b"},
		"a DaemonSet that the taints keep off":            {objects{setOf()}, reserved, reserved, "d"},
		"a DaemonSet of the spec's own pool":              {objects{setOf(fixtures.NodeSelector(PoolLabel, "rollcall-x"))}, as, as, ""},
		"a DaemonSet of the spec's own node":              {objects{setOf(fixtures.NodeSelector(corev1.LabelHostname, "made"))}, as, as, ""},
		"a Pod on another node":                           {objects{podOf("p"), podOf("p", fixtures.NodeName("a"))}, as, as, ""},
		"a Pod on the node that leaves":                   {objects{podOf("p"), podOf("p", fixtures.NodeName("b"))}, as, as, "b"},
		"a Pod aimed at the node that leaves":             {objects{podOf("p", fixtures.OnNodes("b"))}, reserved, as, "b"},
		"a Pod aimed at another node":                     {objects{podOf("p", onA)}, as, as, ""},
		"a Pod that never got a node":                     {objects{podOf("p")}, as, as, "d b c"},
		"a Pod on the node that had left":                 {objects{podOf("p", fixtures.NodeName("d"))}, as, as, "d"},
		"a Pod on one node, and a DaemonSet on the other": {objects{podOf("p", fixtures.NodeName("a")), setOf(fixtures.OnNodes("b"))}, as, as, "b"},
	} {
		stage := stageOf("a", "b", "d")
		stage.admit(nodeOf("made"), nil)
		tell(stage, c.spec, nodeOf("b", c.b), nodeOf("c", c.c))
		if got := concerned(stage); got != c.want {
			t.Errorf("%s: got %q", name, got)
		}
	}
}

func TestWholeRosterMatters(t *testing.T) {
	stage := stageOf("a", "b", "d")
	stage.NeedsWholeRoster()
	tell(stage, nil, nodeOf("b"), nodeOf("c"))
	if got := concerned(stage); got != "d b c" {
		t.Errorf("got %q", got)
	}
	stage.apart = true
	if got := concerned(stage); got != "" {
		t.Errorf("a spec that keeps to simulated nodes: got %q", got)
	}
}

// TestAskedNodesMatter is about a DaemonSet that the history does not hold yet,
// and one that never was created.
func TestAskedNodesMatter(t *testing.T) {
	created, trial := setOf(), setOf()
	trial.UID = ""
	for set, want := range map[*appsv1.DaemonSet]string{created: "b c", trial: ""} {
		stage := stageOf("a", "b")
		stage.Eligible(set)
		tell(stage, nil, nodeOf("b"), nodeOf("c"))
		if got := concerned(stage); got != want {
			t.Errorf("UID %q: got %q", set.UID, got)
		}
	}
}

func TestNodeOfTheSpecMatters(t *testing.T) {
	stage := stageOf("a", "b")
	stage.admit(nodeOf("b"), node.Fingerprint{})
	tell(stage, nil, nodeOf("b"), nodeOf("c"))
	if got := concerned(stage); got != "b" {
		t.Errorf("a lent node that leaves: got %q", got)
	}
}

func as(*corev1.Node) {}

func stageOf(roster ...string) *Scene {
	stage := &Scene{
		Cluster: &Cluster{Roster: map[string]types.UID{}}, Namespace: "rollcall-x",
		History: &history.Recorder{History: history.New(), Began: time.Unix(100, 0)},
	}
	for _, name := range roster {
		stage.Roster[name] = types.UID("uid-" + name)
	}
	return stage
}

// tell records that a spec makes its objects, that one node leaves and that
// another joins.
func tell(stage *Scene, spec []metav1.Object, leaves, joins *corev1.Node) {
	early, late := time.Unix(99, 0), time.Unix(101, 0)
	stage.History.AppendAt(early, history.Node, watch.Added, nodeOf("a"))
	stage.History.AppendAt(early, history.Node, watch.Added, leaves)
	for _, object := range spec {
		kind := history.Pod
		if _, ok := object.(*appsv1.DaemonSet); ok {
			kind = history.DaemonSet
		}
		stage.History.AppendAt(late, kind, watch.Modified, object)
	}
	stage.History.AppendAt(late, history.Node, watch.Deleted, leaves)
	stage.History.AppendAt(late, history.Node, watch.Added, joins)
}

// concerned returns the names of the nodes of which something is told.
func concerned(stage *Scene) string {
	var names []string
	for _, change := range stage.rosterChanges() {
		name, _, _ := strings.Cut(change, " ")
		names = append(names, name)
	}
	return strings.Join(names, " ")
}
