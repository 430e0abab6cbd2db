package audit

import (
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"rollcall.dev/rollcall/framework/history"
)

// play tells a vigil a story, a change a second, and returns what it told.
type play struct {
	vigil *Vigil
	h     *history.History
	at    time.Time
	told  []string
}

func begin(d *appsv1.DaemonSet, roster Roster, objects ...metav1.Object) *play {
	p := &play{vigil: NewVigil("logging", "agent", roster), h: history.New(), at: instant}
	for _, object := range append([]metav1.Object{d}, objects...) {
		p.change(watch.Added, object)
	}
	p.told = nil
	return p
}

func (p *play) change(how watch.EventType, object metav1.Object) *play {
	kind := history.Pod
	switch object.(type) {
	case *corev1.Node:
		kind = history.Node
	case *appsv1.DaemonSet:
		kind = history.DaemonSet
	}
	p.at = p.at.Add(time.Second)
	p.h.AppendAt(p.at, kind, how, object)
	changes := p.h.Changes()
	p.told = append(p.told, p.vigil.See(changes[len(changes)-1], p.h.Latest())...)
	p.told = append(p.told, p.vigil.Judge(p.at)...)
	return p
}

func (p *play) text() string { return strings.Join(p.told, "\n") }

// replace lets a Pod go and another one come.
func (p *play) replace(old, next, node string) *play {
	return p.change(watch.Modified, aPod(old, node, leaving(time.Minute))).change(watch.Deleted, aPod(old, node)).
		change(watch.Added, aPod(next, "", aimed(node), version("v2"))).change(watch.Modified, aPod(next, node, version("v2")))
}

func covered(d *appsv1.DaemonSet) *play {
	return begin(d, rosterOf("a", "b"), aNode("a"), aNode("b"), aPod("a1", "a"), aPod("b1", "b"))
}

func TestVigilKeptBudgets(t *testing.T) {
	p := covered(aDaemonSet(rolling("1", "0"))).replace("a1", "a2", "a").replace("b1", "b2", "b")
	if len(p.vigil.Breaches) > 0 {
		t.Errorf("breaches %v", p.vigil.Breaches)
	}
	for _, line := range []string{"a: v1 terminating", "a: no Pod", "a: v2 ready", "available 1 of 2", "available 2 of 2"} {
		if !strings.Contains(p.text(), line) {
			t.Errorf("it did not tell %q:\n%s", line, p.text())
		}
	}
	if missing := p.vigil.Uncovered(p.h.Latest(), p.at); len(missing) > 0 {
		t.Errorf("uncovered %v", missing)
	}
}

func TestVigilSeesBrokenBudgets(t *testing.T) {
	p := covered(aDaemonSet(rolling("1", "0"))).
		change(watch.Modified, aPod("a1", "a", leaving(time.Minute))).
		change(watch.Modified, aPod("b1", "b", leaving(time.Minute)))
	broken := p.at
	p.change(watch.Deleted, aPod("a1", "a")).change(watch.Deleted, aPod("b1", "b")).
		change(watch.Added, aPod("a2", "a", version("v2"))).change(watch.Added, aPod("b2", "b", version("v2")))
	if len(p.vigil.Breaches) != 1 || !p.vigil.Breaches[0].At.Equal(broken) || !strings.Contains(p.vigil.Breaches[0].Seen, "on 2 nodes") {
		t.Fatalf("breaches %v", p.vigil.Breaches)
	}
	for _, line := range []string{"BUDGET BROKEN", "within the budget again, after 3s"} {
		if strings.Count(p.text(), line) != 1 {
			t.Errorf("it did not tell %q once:\n%s", line, p.text())
		}
	}
	// It can break again, and that is another breach.
	p.change(watch.Modified, aPod("a2", "a", leaving(time.Minute))).change(watch.Modified, aPod("b2", "b", leaving(time.Minute)))
	if len(p.vigil.Breaches) != 2 {
		t.Errorf("breaches %v", p.vigil.Breaches)
	}
}

func TestVigilJudgesSurge(t *testing.T) {
	surging := aDaemonSet(rolling("0", "1"))
	p := covered(surging).
		change(watch.Added, aPod("a2", "", aimed("a"), version("v2"))).change(watch.Modified, aPod("a2", "a", version("v2"))).
		change(watch.Modified, aPod("a1", "a", leaving(time.Minute))).change(watch.Deleted, aPod("a1", "a"))
	if len(p.vigil.Breaches) > 0 {
		t.Errorf("breaches %v", p.vigil.Breaches)
	}
	p = covered(surging).replace("a1", "a2", "a")
	if len(p.vigil.Breaches) != 1 || !strings.Contains(p.vigil.Breaches[0].Claim, "at most 0") {
		t.Errorf("a node without an available Pod under surge: breaches %v", p.vigil.Breaches)
	}
	p = covered(surging).change(watch.Added, aPod("a2", "", aimed("a"), version("v2"))).change(watch.Added, aPod("b2", "", aimed("b"), version("v2")))
	if len(p.vigil.Breaches) != 1 || !strings.Contains(p.vigil.Breaches[0].Seen, "second Pod") {
		t.Errorf("two surge Pods: breaches %v", p.vigil.Breaches)
	}
}

func TestVigilFollowsThePool(t *testing.T) {
	p := covered(aDaemonSet(rolling("1", "0")))
	// A node joins: while it has no Pod it counts against nobody.
	p.change(watch.Added, aNode("c"))
	p.vigil.roster = nil
	p.change(watch.Modified, aPod("a1", "a", leaving(time.Minute))).change(watch.Deleted, aPod("a1", "a")).change(watch.Added, aPod("a2", "a"))
	// A node leaves, and its Pod with it, while another one is replaced.
	p.change(watch.Deleted, aNode("b")).change(watch.Deleted, aPod("b1", "b")).replace("a2", "a3", "a")
	if len(p.vigil.Breaches) > 0 {
		t.Errorf("breaches %v", p.vigil.Breaches)
	}
	for _, line := range []string{"c: no Pod", "b: gone"} {
		if !strings.Contains(p.text(), line) {
			t.Errorf("it did not tell %q:\n%s", line, p.text())
		}
	}
	if missing := p.vigil.Uncovered(p.h.Latest(), p.at); strings.Join(missing, " ") != "c" {
		t.Errorf("uncovered %v", missing)
	}
	// Once it is covered it is judged like the others.
	p.change(watch.Added, aPod("c1", "c")).
		change(watch.Modified, aPod("a3", "a", leaving(time.Minute))).change(watch.Modified, aPod("c1", "c", leaving(time.Minute)))
	if len(p.vigil.Breaches) != 1 {
		t.Errorf("breaches %v", p.vigil.Breaches)
	}
}

// A node that the DaemonSet shuns is missed only if a roster says that it should not.
func TestVigilMissesWhatBelongs(t *testing.T) {
	p := covered(aDaemonSet(rolling("1", "0"))).change(watch.Added, aNode("c", tainted("dedicated", "", "NoSchedule")))
	p.vigil.roster = nil
	if missing := p.vigil.Uncovered(p.h.Latest(), p.at); len(missing) > 0 {
		t.Errorf("without a roster: uncovered %v", missing)
	}
	p.vigil.roster = Roster{"a": "uid-a", "c": "uid-c"}
	if missing := p.vigil.Uncovered(p.h.Latest(), p.at); strings.Join(missing, " ") != "c" {
		t.Errorf("with one: uncovered %v", missing)
	}
}

// A Pod that fails by itself, or a node that falls silent, is told and breaks no
// budget of the rollout.
func TestVigilForgivesWhatHappensByItself(t *testing.T) {
	p := covered(aDaemonSet(rolling("1", "0"))).
		change(watch.Modified, aPod("a1", "a", notReady(ended(1, 2)))).
		change(watch.Modified, aNode("b", silentNode, tainted(corev1.TaintNodeUnreachable, "", "NoSchedule"))).
		change(watch.Modified, aPod("b1", "b", notReady(running())))
	if len(p.vigil.Breaches) > 0 {
		t.Errorf("breaches %v", p.vigil.Breaches)
	}
	for _, line := range []string{"a: v1 crash-loop, 2 restarts", "b: node NotReady, v1 not-ready"} {
		if !strings.Contains(p.text(), line) {
			t.Errorf("it did not tell %q:\n%s", line, p.text())
		}
	}
	if missing := p.vigil.Uncovered(p.h.Latest(), p.at); len(missing) != 2 {
		t.Errorf("uncovered %v", missing)
	}
}

func TestVigilSeesTheDaemonSetChangeAndGo(t *testing.T) {
	p := covered(aDaemonSet(rolling("1", "0"))).
		change(watch.Modified, aDaemonSet(rolling("2", "0"), func(d *appsv1.DaemonSet) { d.Generation = 2 }))
	if !strings.Contains(p.text(), "generation 2: at most 2 of 2 nodes") {
		t.Error(p.text())
	}
	if p.vigil.Done(p.h.Latest(), p.at) {
		t.Error("done before the controller has seen the generation")
	}
	p.change(watch.Modified, aDaemonSet(func(d *appsv1.DaemonSet) { d.Generation, d.Status.ObservedGeneration = 2, 2 }))
	if !p.vigil.Done(p.h.Latest(), p.at) {
		t.Error("not done, though each node has its one Pod")
	}
	if p.change(watch.Deleted, aDaemonSet()); !strings.Contains(p.text(), "was deleted") {
		t.Error(p.text())
	}
}
