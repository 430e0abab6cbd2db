package judge_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/judge"
)

func asked(p *corev1.Pod) { p.DeletionTimestamp = ptr.To(metav1.Unix(200, 0)) }

func disrupted(status corev1.ConditionStatus, reason string) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{Type: corev1.DisruptionTarget, Status: status, Reason: reason})
	}
}

func TestDisrupted(t *testing.T) {
	const reason = "DeletionByTaintManager"
	born := pod("p", "a", bound("a"), ready)
	claim := judge.Disrupted(born, reason)
	good := tell(added(born), changed(pod("p", "a", bound("a"), ready, disrupted(corev1.ConditionTrue, reason))),
		changed(pod("p", "a", bound("a"), asked, disrupted(corev1.ConditionTrue, reason))))
	if found := claim.Find(good); len(found) > 0 {
		t.Error(found[0])
	}
	for name, bad := range map[string]*history.History{
		"stays":               tell(added(born)),
		"announced only":      tell(added(born), changed(pod("p", "a", disrupted(corev1.ConditionTrue, reason)))),
		"goes without a word": tell(added(born), changed(pod("p", "a", asked))),
		"for another reason":  tell(added(born), changed(pod("p", "a", asked, disrupted(corev1.ConditionTrue, "PreemptionByScheduler")))),
		"a word taken back":   tell(added(born), changed(pod("p", "a", asked, disrupted(corev1.ConditionFalse, reason)))),
		"removed at once":     tell(added(born), removed(born)),
		"told too late":       tell(added(born), changed(pod("p", "a", asked)), changed(pod("p", "a", asked, disrupted(corev1.ConditionTrue, reason)))),
		"another Pod's":       tell(added(born), changed(pod("q", "a", asked, disrupted(corev1.ConditionTrue, reason)))),
	} {
		if len(claim.Find(bad)) == 0 {
			t.Errorf("%s: not noticed", name)
		}
	}
}

func TestStaysAtLeast(t *testing.T) {
	born := pod("p", "a", ready)
	claim := judge.StaysAtLeast(born, "taint", 20*time.Millisecond)
	goes := func(marked bool, after time.Duration, final ...step) *history.History {
		h := history.New()
		h.Append(history.Pod, "ADDED", born)
		if marked {
			h.Mark("taint")
		}
		for _, s := range final {
			h.AppendAt(time.Now().Add(after), history.Pod, s.change, s.object)
		}
		return h
	}
	if found := claim.Find(goes(true, 25*time.Millisecond, changed(pod("p", "a", asked)))); len(found) > 0 {
		t.Error(found[0])
	}
	for name, bad := range map[string]*history.History{
		"too soon":        goes(true, 0, changed(pod("p", "a", asked))),
		"removed at once": goes(true, 0, removed(born)),
		"never":           goes(true, 0),
		"no such action":  goes(false, time.Hour, changed(pod("p", "a", asked))),
	} {
		if len(claim.Find(bad)) == 0 {
			t.Errorf("%s: not noticed", name)
		}
	}
}

func TestGoesBefore(t *testing.T) {
	first, second := pod("first", "a"), pod("second", "a")
	claim := judge.GoesBefore(first, second)
	at := func(steps ...step) *history.History {
		h := history.New()
		for i, s := range steps {
			h.AppendAt(time.Unix(int64(i), 0), history.Pod, s.change, s.object)
		}
		return h
	}
	goes := func(name string) step { return changed(pod(name, "a", asked)) }
	for name, good := range map[string]*history.History{
		"in order":         at(added(first), added(second), goes("first"), goes("second")),
		"the other stays":  at(added(first), added(second), goes("first")),
		"removed at once":  at(added(first), added(second), removed(first), goes("second")),
		"gone much later":  at(added(first), added(second), goes("first"), goes("second"), removed(second), removed(first)),
		"asked once again": at(added(first), added(second), goes("first"), goes("second"), goes("first")),
	} {
		if found := claim.Find(good); len(found) > 0 {
			t.Errorf("%s: %s", name, found[0])
		}
	}
	for name, bad := range map[string]*history.History{
		"the other way round": at(added(first), added(second), goes("second"), goes("first")),
		"it stays":            at(added(first), added(second), goes("second")),
		"both stay":           at(added(first), added(second)),
	} {
		if len(claim.Find(bad)) == 0 {
			t.Errorf("%s: not noticed", name)
		}
	}
}

func TestAskedToGo(t *testing.T) {
	born := pod("p", "a", ready)
	for name, c := range map[string]struct {
		story *history.History
		holds bool
	}{
		"stays":        {tell(added(born)), false},
		"asked":        {tell(added(born), changed(pod("p", "a", asked))), true},
		"gone":         {tell(added(born), removed(born)), true},
		"another's in": {tell(added(born), removed(born), added(pod("p", "a", func(p *corev1.Pod) { p.UID = "other" }))), true},
	} {
		if lacks := judge.AskedToGo(born).Lacks(c.story.Latest()); (lacks == "") != c.holds {
			t.Errorf("%s: %q", name, lacks)
		}
	}
}
