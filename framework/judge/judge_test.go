package judge_test

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/watch"

	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/judge"
)

// fewerThan is the condition that there are fewer than n Pods.
func fewerThan(n int) judge.Condition {
	return judge.Condition{Claim: "few Pods", Lacks: func(state *history.State) string {
		if len(state.Pods()) < n {
			return ""
		}
		return "too many"
	}}
}

func TestAlwaysLooksAtEveryState(t *testing.T) {
	one, two := pod("1", "a"), pod("2", "b")
	h := tell(added(one), added(two), removed(two))

	holds(t, fewerThan(2), h)
	breaks(t, judge.Always(fewerThan(2)), h, "at every instant, few Pods", "too many")
	holds(t, judge.Always(fewerThan(3)), h)
	if found := judge.Always(fewerThan(1)).Find(h); len(found) != 3 {
		t.Errorf("%d violations, not one a change", len(found))
	}
}

func TestFailureShowsTheFirstViolationInItsPlace(t *testing.T) {
	h := history.New()
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	h.AppendAt(at, history.Pod, watch.Added, pod("1", "a"))
	h.AppendAt(at.Add(time.Second), history.Pod, watch.Added, pod("2", "b"))
	h.AppendAt(at.Add(2*time.Second), history.Pod, watch.Added, pod("3", "c"))
	breaks(t, judge.Always(fewerThan(2)), h,
		"expected: at every instant, few Pods", "seen at 03:04:06.000: too many", "and 1 more like it",
		"> 03:04:06.000  added Pod 2", "  03:04:05.000  added Pod 1")
}

func TestConditionsCombine(t *testing.T) {
	h := tell(added(pod("1", "a")))
	both := fewerThan(2).And(fewerThan(1).About("strictly"))
	breaks(t, both, h, "few Pods, and strictly: few Pods", "too many")
	holds(t, fewerThan(2).And(fewerThan(3)), h)
	breaks(t, fewerThan(1).And(fewerThan(2)), h)
}

func TestConditionThatIsBroken(t *testing.T) {
	none, one := tell(added(pod("1", "a"))), tell(added(pod("1", "a")), added(pod("2", "a")))
	condition := fewerThan(9).While(fewerThan(2)).And(fewerThan(8).About("too"))
	if broken := condition.Broken(none.Latest()); broken != "" {
		t.Errorf("it is broken where it holds: %s", broken)
	}
	if broken := condition.Broken(one.Latest()); broken != "too many" {
		t.Errorf("it is not seen to be broken: %q", broken)
	}
	if broken := fewerThan(1).Broken(one.Latest()); broken != "" {
		t.Errorf("what is only lacking counts as broken: %s", broken)
	}
}

func TestClaimToWaitFor(t *testing.T) {
	h := tell(added(pod("1", "a")))
	claim := judge.Always(fewerThan(2)).Of(h)
	if lacks := claim.Lacks(nil); lacks != "" {
		t.Error(lacks)
	}
	h.Append(history.Pod, watch.Added, pod("2", "b"))
	if lacks := claim.Lacks(nil); lacks != "too many" {
		t.Errorf("lacks %q", lacks)
	}
}

func TestJudgesReadHistoriesOnly(t *testing.T) {
	if _, err := judge.Always(fewerThan(1)).Match("a text"); err == nil {
		t.Error("a judge took a text for a history")
	}
	if _, err := fewerThan(1).Match(7); err == nil {
		t.Error("a condition took a number for a state")
	}
	h := tell(added(pod("1", "a")))
	holds(t, fewerThan(2), h.Latest())
	holds(t, fewerThan(2), &history.Recorder{History: h})
}

func TestViolationNamesPodAndNode(t *testing.T) {
	v := judge.Violation{Pod: "1", Node: "a", Message: "is late"}
	if v.String() != "Pod 1 on node a is late" {
		t.Error(v.String())
	}
}

func TestClassesOfPods(t *testing.T) {
	for name, c := range map[string]struct {
		pod                          *corev1.Pod
		live, ready, finished, going bool
	}{
		"pending":               {pod("1", "a"), true, false, false, false},
		"ready":                 {pod("1", "a", ready), true, true, false, false},
		"ready and terminating": {pod("1", "a", ready, terminating), false, false, false, true},
		"failed":                {pod("1", "a", ready, phase(corev1.PodFailed)), false, false, true, false},
		"succeeded":             {pod("1", "a", phase(corev1.PodSucceeded)), false, false, true, false},
	} {
		got := [4]bool{judge.Live(c.pod), judge.Ready(c.pod), judge.Finished(c.pod), judge.Terminating(c.pod)}
		if got != [4]bool{c.live, c.ready, c.finished, c.going} {
			t.Errorf("%s: live, ready, finished, terminating %v", name, got)
		}
	}
}

func TestAvailable(t *testing.T) {
	p := pod("1", "a", ready) // since second 100
	for at, want := range map[int64]bool{105: false, 109: false, 110: true, 111: true} {
		if got := judge.Available(p, 10*time.Second, time.Unix(at, 0)); got != want {
			t.Errorf("at %d: %t", at, got)
		}
	}
	if !judge.Available(p, 0, time.Unix(100, 0)) || judge.Available(pod("1", "a"), 0, time.Unix(100, 0)) {
		t.Error("without minReadySeconds, available is not the same as Ready")
	}
}

func TestTargetNode(t *testing.T) {
	for want, p := range map[string]*corev1.Pod{
		"a": pod("1", "a"),
		"b": pod("1", "a", bound("b")),
		"":  pod("1", "a", func(p *corev1.Pod) { p.Spec.Affinity = nil }),
	} {
		if got := judge.TargetNode(p); got != want {
			t.Errorf("got %q, not %q", got, want)
		}
	}
}

func TestExcerptLeavesHeartbeatsOut(t *testing.T) {
	beat := node("a", func(n *corev1.Node) { n.ResourceVersion = "2" })
	h := tell(added(node("a")), changed(beat), changed(node("a", taint("own", corev1.TaintEffectNoSchedule))))
	h.Mark("taint node a: own")
	text := judge.Excerpt(h, h.Latest().At)
	if n := strings.Count(text, "Node a"); n != 2 {
		t.Errorf("%d lines about the node:\n%s", n, text)
	}
	for _, word := range []string{"taint own:NoSchedule", "* taint node a: own"} {
		if !strings.Contains(text, word) {
			t.Errorf("the excerpt lacks %q:\n%s", word, text)
		}
	}
}

func TestExcerptKeepsToTheNodesOfItsSpec(t *testing.T) {
	h := tell(added(node("host")), added(node("foreign")), added(pod("1", "host")))
	text := judge.Excerpt(h, h.Latest().At)
	if !strings.Contains(text, "Node host") || strings.Contains(text, "foreign") {
		t.Errorf("the Pod is on node host, and this is told:\n%s", text)
	}
}

func TestUnlessBrokenIsMetOnceAPromiseIsBroken(t *testing.T) {
	h := tell(added(pod("1", "a")))
	never := judge.Condition{Claim: "something that does not come", Lacks: func(*history.State) string { return "it is not there" }}
	if lacks := never.UnlessBroken(h, judge.NoneLeavesBut("daemon")).Lacks(h.Latest()); lacks == "" {
		t.Error("it is met although nothing is broken")
	}
	if lacks := never.UnlessBroken(h, judge.KeptReady(pod("1", "a"))).Lacks(h.Latest()); lacks != "" {
		t.Errorf("it lacks %q although a promise is broken", lacks)
	}
}
