package tolerations

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/judge"
)

func podWith(tolerations ...corev1.Toleration) *corev1.Pod {
	return &corev1.Pod{Spec: corev1.PodSpec{Tolerations: tolerations}}
}

func TestFaults(t *testing.T) {
	network := corev1.Toleration{Key: networkUnavailable.Key, Operator: corev1.TolerationOpExists, Effect: networkUnavailable.Effect}
	own := corev1.Toleration{Key: "rollcall.dev/own", Operator: corev1.TolerationOpExists}
	for name, c := range map[string]struct {
		fault judge.Fault
		pod   *corev1.Pod
		found bool
	}{
		"tolerates the network":           {lacking(networkUnavailable), podWith(own, network), false},
		"does not tolerate the network":   {lacking(networkUnavailable), podWith(own), true},
		"tolerates it and must not":       {tolerating(networkUnavailable.Key), podWith(network), true},
		"does not tolerate it, and rules": {tolerating(networkUnavailable.Key), podWith(own), false},
		"an automatic one":                {bare, podWith(own, network), false},
		"only its own":                    {bare, podWith(own), true},
		"none":                            {bare, podWith(), true},
	} {
		if got := c.fault(c.pod); (got != "") != c.found {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestNoNodeTainted(t *testing.T) {
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "a", UID: "a"}}
	full := node.DeepCopy()
	full.Spec.Taints = []corev1.Taint{{Key: outOfDisk, Effect: corev1.TaintEffectNoSchedule}}
	h := history.New()
	h.Append(history.Node, watch.Added, node)
	if found := judge.Always(noNodeTainted(outOfDisk)).Find(h); len(found) != 0 {
		t.Errorf("a clean node is at fault: %v", found)
	}
	h.Append(history.Node, watch.Modified, full)
	h.Append(history.Node, watch.Modified, node)
	if found := judge.Always(noNodeTainted(outOfDisk)).Find(h); len(found) != 1 {
		t.Errorf("a taint that came and went: %v", found)
	}
}
