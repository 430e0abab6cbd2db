package judge_test

import (
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/utils/ptr"

	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/judge"
)

// A story is a history told in steps, each an object after a change.

type step struct {
	change watch.EventType
	object metav1.Object
}

func added(object metav1.Object) step   { return step{watch.Added, object} }
func changed(object metav1.Object) step { return step{watch.Modified, object} }
func removed(object metav1.Object) step { return step{watch.Deleted, object} }

func tell(steps ...step) *history.History {
	h := history.New()
	for _, s := range steps {
		h.Append(kindOf(s.object), s.change, s.object)
	}
	return h
}

// with adds to the steps of a story.
func with(steps []step, more ...step) []step { return append(append([]step{}, steps...), more...) }

func kindOf(object metav1.Object) history.Kind {
	switch object.(type) {
	case *corev1.Pod:
		return history.Pod
	case *corev1.Node:
		return history.Node
	case *appsv1.DaemonSet:
		return history.DaemonSet
	case *appsv1.ControllerRevision:
		return history.ControllerRevision
	case *discoveryv1.EndpointSlice:
		return history.EndpointSlice
	default:
		return history.Event
	}
}

const agentUID = types.UID("uid-agent")

func node(name string, changes ...func(*corev1.Node)) *corev1.Node {
	n := &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID("uid-" + name), Labels: map[string]string{
			corev1.LabelHostname: name, corev1.LabelOSStable: "linux",
		}},
		Status: corev1.NodeStatus{Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}},
	}
	for _, change := range changes {
		change(n)
	}
	return n
}

func taint(key string, effect corev1.TaintEffect) func(*corev1.Node) {
	return func(n *corev1.Node) { n.Spec.Taints = append(n.Spec.Taints, corev1.Taint{Key: key, Effect: effect}) }
}

func agent(changes ...func(*appsv1.DaemonSet)) *appsv1.DaemonSet {
	d := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Name: "agent", UID: agentUID, Generation: 1}}
	for _, change := range changes {
		change(d)
	}
	return d
}

func reporting(status appsv1.DaemonSetStatus) func(*appsv1.DaemonSet) {
	return func(d *appsv1.DaemonSet) {
		d.Status = status
		if d.Status.ObservedGeneration == 0 {
			d.Status.ObservedGeneration = d.Generation
		}
	}
}

// pod is a Pod of the agent, aimed at a node and not bound yet.
func pod(name, node string, changes ...func(*corev1.Pod)) *corev1.Pod {
	p := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID("uid-" + name), GenerateName: "agent-", OwnerReferences: []metav1.OwnerReference{{
			APIVersion: "apps/v1", Kind: "DaemonSet", Name: "agent", UID: agentUID, Controller: ptr.To(true), BlockOwnerDeletion: ptr.To(true),
		}}},
		Spec:   corev1.PodSpec{Affinity: aimedAt(node)},
		Status: corev1.PodStatus{Phase: corev1.PodPending},
	}
	for _, change := range changes {
		change(p)
	}
	return p
}

func aimedAt(node string) *corev1.Affinity {
	return &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{
		NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchFields: []corev1.NodeSelectorRequirement{{
			Key: metav1.ObjectNameField, Operator: corev1.NodeSelectorOpIn, Values: []string{node},
		}}}},
	}}}
}

func bound(node string) func(*corev1.Pod) { return func(p *corev1.Pod) { p.Spec.NodeName = node } }

func ready(p *corev1.Pod) {
	p.Status.Phase = corev1.PodRunning
	p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.Unix(100, 0)}}
}

func terminating(p *corev1.Pod) { p.DeletionTimestamp = &metav1.Time{Time: time.Unix(200, 0)} }

func phase(phase corev1.PodPhase) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Status.Phase = phase }
}

func ownedBy(name string) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.OwnerReferences[0].Name, p.OwnerReferences[0].UID = name, types.UID("uid-"+name)
	}
}

func nobodys(p *corev1.Pod) { p.OwnerReferences = nil }

// roster names nodes as they were at the start.
func roster(names ...string) map[string]types.UID {
	r := map[string]types.UID{}
	for _, name := range names {
		r[name] = types.UID("uid-" + name)
	}
	return r
}

// matcher is what judges, conditions and refusals have in common.
type matcher interface {
	Match(actual any) (bool, error)
	FailureMessage(actual any) string
	NegatedFailureMessage(actual any) string
}

// holds expects a matcher to accept.
func holds(t *testing.T, claim matcher, actual any) {
	t.Helper()
	ok, err := claim.Match(actual)
	if err != nil {
		t.Fatal(err)
	}
	if !ok {
		t.Errorf("should hold and does not:\n%s", claim.FailureMessage(actual))
	}
}

// breaks expects a matcher to refuse, in words that contain all of these.
func breaks(t *testing.T, claim matcher, actual any, words ...string) {
	t.Helper()
	ok, err := claim.Match(actual)
	if err != nil {
		t.Fatal(err)
	}
	if ok {
		t.Errorf("should not hold and does: %s", claim.NegatedFailureMessage(actual))
		return
	}
	message := claim.FailureMessage(actual)
	for _, word := range words {
		if !strings.Contains(message, word) {
			t.Errorf("the message lacks %q:\n%s", word, message)
		}
	}
}

// threeNodes is a cluster of which two nodes are on the roster and eligible, one
// is on it and tainted, and one is foreign.
func threeNodes() ([]step, judge.Nodes) {
	nodes := []*corev1.Node{node("a"), node("b"), node("c", taint("own", corev1.TaintEffectNoSchedule)), node("virtual")}
	var steps []step
	for _, n := range nodes {
		steps = append(steps, added(n))
	}
	return steps, judge.EligibleNodes(agent(), nodes, roster("a", "b", "c"))
}
