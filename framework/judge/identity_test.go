package judge_test

import (
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"

	"rollcall.dev/rollcall/framework/judge"
)

func TestNotOwned(t *testing.T) {
	fault := judge.NotOwned(agent())
	if wrong := fault(pod("1", "a")); wrong != "" {
		t.Error(wrong)
	}
	for name, change := range map[string]func(*corev1.Pod){
		"nobody":               nobodys,
		"another UID":          func(p *corev1.Pod) { p.OwnerReferences[0].UID = "uid-older" },
		"another kind":         func(p *corev1.Pod) { p.OwnerReferences[0].Kind = "ReplicaSet" },
		"another version":      func(p *corev1.Pod) { p.OwnerReferences[0].APIVersion = "extensions/v1beta1" },
		"no controller":        func(p *corev1.Pod) { p.OwnerReferences[0].Controller = nil },
		"does not block":       func(p *corev1.Pod) { p.OwnerReferences[0].BlockOwnerDeletion = ptr.To(false) },
		"a second owner as is": func(p *corev1.Pod) { p.OwnerReferences = append(p.OwnerReferences, p.OwnerReferences[0]) },
	} {
		if fault(pod("1", "a", change)) == "" {
			t.Errorf("%s: not found", name)
		}
	}
}

func TestNotNamedAfter(t *testing.T) {
	long := "agent-" + strings.Repeat("x", 56)
	named := func(base, name string) func(*corev1.Pod) {
		return func(p *corev1.Pod) { p.GenerateName, p.Name = base, name }
	}
	for name, c := range map[string]struct {
		daemonSet string
		pod       func(*corev1.Pod)
		good      bool
	}{
		"usual":          {"agent", named("agent-", "agent-x7k2p"), true},
		"cut":            {long, named(long+"-", (long + "-")[:58]+"x7k2p"), true},
		"not cut":        {long, named(long+"-", long+"-x7k2p"), false},
		"ordinal":        {"agent", named("agent-", "agent-0"), false},
		"long suffix":    {"agent", named("agent-", "agent-x7k2px"), false},
		"other prefix":   {"agent", named("agent-", "agenda-x7k2p"), false},
		"no base":        {"agent", named("", "agent-x7k2p"), false},
		"capital suffix": {"agent", named("agent-", "agent-X7K2P"), false},
	} {
		if wrong := judge.NotNamedAfter(c.daemonSet)(pod("1", "a", c.pod)); (wrong == "") != c.good {
			t.Errorf("%s: %q", name, wrong)
		}
	}
}

func revision(number int64, hash string, owner types.UID) *appsv1.ControllerRevision {
	return &appsv1.ControllerRevision{
		ObjectMeta: metav1.ObjectMeta{
			Name: "revision-" + hash, UID: types.UID("uid-" + hash), Labels: map[string]string{appsv1.ControllerRevisionHashLabelKey: hash},
			OwnerReferences: []metav1.OwnerReference{{UID: owner, Controller: ptr.To(true)}},
		},
		Revision: number,
	}
}

func hashed(hash string) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Labels = map[string]string{appsv1.ControllerRevisionHashLabelKey: hash} }
}

func TestOfNewestRevision(t *testing.T) {
	claim := judge.OfNewestRevision(agentUID)
	old, newer := added(revision(1, "old", agentUID)), added(revision(2, "new", agentUID))

	holds(t, claim, tell(old, newer, added(pod("1", "a", hashed("new"))), added(pod("2", "b", hashed("old"), terminating))))

	breaks(t, claim, tell(added(pod("1", "a", hashed("new")))), "has no ControllerRevision")
	breaks(t, claim, tell(added(revision(9, "new", "uid-other")), added(pod("1", "a", hashed("new")))), "has no ControllerRevision")
	breaks(t, claim, tell(newer, old, added(pod("1", "a", hashed("old")))), `="old", not "new"`)
	breaks(t, claim, tell(newer, added(pod("1", "a"))), `="", not "new"`)
	breaks(t, claim, tell(added(revision(1, "", agentUID)), added(pod("1", "a"))), "has no hash")
	breaks(t, claim, tell(newer), "no live Pod")
}
