package judge_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"rollcall.dev/rollcall/framework/judge"
)

func TestPodOnEach(t *testing.T) {
	cluster, nodes := threeNodes()
	covered := with(cluster, added(pod("1", "a")), added(pod("2", "b", bound("b"))))
	claim := judge.PodOnEach(agentUID, nodes)

	holds(t, claim, tell(covered...))
	holds(t, claim, tell(with(covered, added(pod("3", "virtual")))...))
	holds(t, claim, tell(with(covered, added(pod("3", "a", phase(corev1.PodFailed))), added(pod("4", "b", terminating)))...))
	holds(t, claim, tell(with(covered, added(pod("3", "a", ownedBy("other"))))...))

	breaks(t, claim, tell(cluster...), "a has 0 (no Pod at all)")
	breaks(t, claim, tell(with(cluster, added(pod("1", "a")))...), "b has 0")
	breaks(t, claim, tell(with(covered, added(pod("3", "a")))...), "a has 2")
	breaks(t, claim, tell(with(covered, added(pod("3", "c")))...), "c has 1 and should have none", "not tolerated")
	breaks(t, claim, tell(with(covered, changed(pod("1", "a", terminating)))...), "a has 0", "terminating")
	breaks(t, claim, tell(with(covered, added(pod("3", "", func(p *corev1.Pod) { p.Spec.Affinity = nil })))...), "1 are meant for no node")
}

// A hole on one node and a double on another add up to the right number.
func TestPodOnEachComparesNodesNotNumbers(t *testing.T) {
	cluster, nodes := threeNodes()
	breaks(t, judge.PodOnEach(agentUID, nodes), tell(with(cluster, added(pod("1", "a")), added(pod("2", "a")))...), "a has 2", "b has 0")
}

func TestPodOnEachKnowsNodesByUID(t *testing.T) {
	cluster, nodes := threeNodes()
	covered := with(cluster, added(pod("1", "a")), added(pod("2", "b")))
	claim := judge.PodOnEach(agentUID, nodes)
	breaks(t, claim, tell(with(covered, removed(node("b")))...), "b: the Node object is gone")
	again := node("b", func(n *corev1.Node) { n.UID = "uid-another" })
	breaks(t, claim, tell(with(covered, removed(node("b")), added(again))...), "another node by now", "uid-another")
}

func TestReadyOnEach(t *testing.T) {
	cluster, nodes := threeNodes()
	covered := with(cluster, added(pod("1", "a", bound("a"), ready)), added(pod("2", "b", bound("b"), ready)))
	claim := judge.ReadyOnEach(agentUID, nodes)

	holds(t, claim, tell(covered...))
	holds(t, claim, tell(with(covered, added(pod("3", "virtual")))...))

	breaks(t, claim, tell(with(covered, changed(pod("2", "b", bound("b"))))...), "b has 0 (Pending)")
	breaks(t, claim, tell(with(covered, added(pod("3", "b")))...), "b has 2")
	breaks(t, claim, tell(with(covered, added(pod("3", "c")))...), "c has 1")
	breaks(t, claim, tell(with(covered, changed(pod("2", "b", ready, terminating)))...), "b has 0")
}

func TestNeverElsewhere(t *testing.T) {
	cluster, nodes := threeNodes()
	claim := judge.NeverElsewhere(agentUID, nodes)

	holds(t, claim, tell(with(cluster, added(pod("1", "a")), added(pod("2", "virtual")))...))
	holds(t, claim, tell(with(cluster, added(pod("1", "c", ownedBy("other"))))...))

	stray := pod("1", "c")
	breaks(t, claim, tell(with(cluster, added(stray), removed(stray))...), "Pod 1 is for node c", "own:NoSchedule")
}

func TestAtMostOneLive(t *testing.T) {
	one, two := pod("1", "a"), pod("2", "a")
	claim := judge.AtMostOneLive(agentUID)

	holds(t, claim, tell(added(one), added(pod("2", "b"))))
	holds(t, claim, tell(added(one), changed(pod("1", "a", terminating)), added(two)))
	holds(t, claim, tell(added(one), changed(pod("1", "a", phase(corev1.PodFailed))), added(two)))
	holds(t, claim, tell(added(one), added(pod("2", "a", ownedBy("other")))))
	unaimed := func(name string) *corev1.Pod { return pod(name, "", func(p *corev1.Pod) { p.Spec.Affinity = nil }) }
	holds(t, claim, tell(added(unaimed("1")), added(unaimed("2"))))

	breaks(t, claim, tell(added(one), added(two), removed(one)), "node a has the Pods 1 and 2")
}

func TestAtMostOneUnfinished(t *testing.T) {
	one, two := pod("1", "a"), pod("2", "a")
	claim := judge.AtMostOneUnfinished(agentUID)

	holds(t, claim, tell(added(one), removed(one), added(two)))
	holds(t, claim, tell(added(one), changed(pod("1", "a", terminating, phase(corev1.PodSucceeded))), added(two)))

	breaks(t, claim, tell(added(one), changed(pod("1", "a", terminating)), added(two), removed(one)), "node a has the Pods 1 and 2")
}

func TestPodsByNode(t *testing.T) {
	cluster, nodes := threeNodes()
	h := tell(with(cluster, added(pod("1", "a")), added(pod("2", "b", terminating)), added(pod("3", "virtual")), added(pod("4", "c")))...)
	pods := judge.PodsByNode(h.Latest(), agentUID, nodes)
	if len(pods) != 1 || pods["a"].UID != types.UID("uid-1") {
		t.Errorf("got %v", pods)
	}
}
