package judge_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"rollcall.dev/rollcall/framework/judge"
)

func TestEveryPod(t *testing.T) {
	claim := judge.EveryPod(agentUID, "stays unbound", judge.Bound)
	one := pod("1", "a")

	holds(t, claim, tell(added(one)))
	holds(t, claim, tell(added(one), added(pod("2", "b", ownedBy("other"), bound("b")))))

	breaks(t, claim, tell(), "no such Pod was ever seen")
	breaks(t, claim, tell(added(pod("2", "b", ownedBy("other")))), "no such Pod was ever seen")
	breaks(t, claim, tell(added(one), changed(pod("1", "a", bound("a"))), removed(one)), "Pod 1 on node a is bound to node a")
	breaks(t, claim, tell(added(one), removed(pod("1", "a", bound("a")))), "is bound to node a")
}

func TestFirstSeen(t *testing.T) {
	claim := judge.FirstSeen(agentUID, "is bound to no node", judge.Bound)

	holds(t, claim, tell(added(pod("1", "a")), changed(pod("1", "a", bound("a")))))

	breaks(t, claim, tell(), "no such Pod was ever seen")
	breaks(t, claim, tell(added(pod("1", "a")), added(pod("2", "b", bound("b")))), "Pod 2 on node b is bound")
}

func TestEachPod(t *testing.T) {
	waiting := func(p *corev1.Pod) string {
		if p.Spec.NodeName == "" {
			return "is not bound"
		}
		return ""
	}
	claim := judge.EachPod(agentUID, "is bound", waiting)

	holds(t, claim, tell(added(pod("1", "a", bound("a"))), added(pod("2", "b", terminating)), added(pod("3", "b", phase(corev1.PodFailed)))))

	breaks(t, claim, tell(), "it has no live Pod")
	breaks(t, claim, tell(added(pod("1", "a", bound("a"), terminating))), "it has no live Pod")
	breaks(t, claim, tell(added(pod("1", "a", bound("a"))), added(pod("2", "b"))), "Pod 2 is not bound")
}
