package judge_test

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"

	"rollcall.dev/rollcall/framework/judge"
)

func tolerating(tolerations ...corev1.Toleration) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Spec.Tolerations = tolerations }
}

func TestNotTolerating(t *testing.T) {
	own := corev1.Toleration{Key: "own", Operator: "Exists"}
	documented := append(judge.AutomaticTolerations(false), own)
	fault := judge.NotTolerating(documented)
	reversed := slices.Clone(documented)
	slices.Reverse(reversed)
	if wrong := fault(pod("1", "a", tolerating(reversed...))); wrong != "" {
		t.Error(wrong)
	}
	limited := slices.Clone(documented)
	limited[0].TolerationSeconds = ptr.To(int64(300))
	for name, c := range map[string]struct {
		has  []corev1.Toleration
		want string
	}{
		"disk pressure forgotten": {slices.Delete(slices.Clone(documented), 2, 3), "lacks node.kubernetes.io/disk-pressure:NoSchedule"},
		"one too many":            {append(slices.Clone(documented), corev1.Toleration{Operator: "Exists"}), "also has every key"},
		"limited in time":         {limited, "lacks node.kubernetes.io/not-ready:NoExecute; also has node.kubernetes.io/not-ready:NoExecute for 300 s"},
	} {
		if wrong := fault(pod("1", "a", tolerating(c.has...))); wrong != c.want {
			t.Errorf("%s: %q", name, wrong)
		}
	}
}

func TestHostNetworkAddsOneToleration(t *testing.T) {
	more := judge.Without(judge.AutomaticTolerations(true), judge.AutomaticTolerations(false))
	if len(more) != 1 || more[0].Key != corev1.TaintNodeNetworkUnavailable || more[0].Effect != corev1.TaintEffectNoSchedule {
		t.Errorf("got %v", more)
	}
}

func TestLimitedInTime(t *testing.T) {
	notReady := corev1.Taint{Key: corev1.TaintNodeNotReady, Effect: corev1.TaintEffectNoExecute}
	fault := judge.LimitedInTime(notReady)
	forever := corev1.Toleration{Key: notReady.Key, Operator: "Exists", Effect: notReady.Effect}
	limited := forever
	limited.TolerationSeconds = ptr.To(int64(30))
	other := corev1.Toleration{Key: "own", Operator: "Exists", TolerationSeconds: ptr.To(int64(5))}
	for name, c := range map[string]struct {
		has  []corev1.Toleration
		want string
	}{
		"for ever":               {[]corev1.Toleration{forever, other}, ""},
		"for some seconds":       {[]corev1.Toleration{limited}, "tolerates node.kubernetes.io/not-ready:NoExecute for 30 s only"},
		"both":                   {[]corev1.Toleration{forever, limited}, "tolerates node.kubernetes.io/not-ready:NoExecute for 30 s only"},
		"not at all":             {[]corev1.Toleration{other}, "does not tolerate node.kubernetes.io/not-ready:NoExecute"},
		"by way of all the keys": {[]corev1.Toleration{{Operator: "Exists"}}, ""},
	} {
		if wrong := fault(pod("1", "a", tolerating(c.has...))); wrong != c.want {
			t.Errorf("%s: %q", name, wrong)
		}
	}
}

func TestTolerationLists(t *testing.T) {
	one, two := corev1.Toleration{Key: "one", Value: "v"}, corev1.Toleration{Key: "two", Operator: "Exists", Effect: "NoExecute"}
	p := pod("1", "a", tolerating(two, one))
	if got := judge.TolerationsFor(p, "two"); len(got) != 1 || got[0] != two {
		t.Errorf("for two: %v", got)
	}
	if got := judge.Distinct([]corev1.Toleration{one, two, one}); len(got) != 2 {
		t.Errorf("distinct: %v", got)
	}
	if got := judge.DescribeTolerations(p.Spec.Tolerations); got != "one=v, two:NoExecute" {
		t.Errorf("described as %q", got)
	}
	if got := judge.DescribeTolerations(nil); got != "none" {
		t.Errorf("described as %q", got)
	}
}
