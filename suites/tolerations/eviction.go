package tolerations

import (
	"fmt"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/node"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

// evictedByTaint is why a Pod goes that a NoExecute taint evicts.
// https://kubernetes.io/docs/concepts/workloads/pods/disruptions/#pod-disruption-conditions
const evictedByTaint = "DeletionByTaintManager"

// hour is far longer than any spec takes.
const hour = 3600

// bearing tolerates the taint of these specs for some seconds.
func bearing(seconds int64) corev1.Toleration { return forSeconds(ours, noExecute.Effect, seconds) }

func executing(cluster *scene.Cluster) {
	It("evicts a DaemonSet's Pod from a node with NoExecute, and lets none back while the taint is there", requirement.Checks("TOL-07"), func(ctx SpecContext) {
		clears(ctx, simulated(ctx, cluster))
	})
}

func clears(ctx SpecContext, stage *spot) {
	GinkgoHelper()
	agent, tolerant := stage.daemon(ctx, "agent"), stage.daemon(ctx, "tolerant", always)
	ordinary := stage.pod(ctx, "ordinary")

	stage.Taint(ctx, stage.node, noExecute)

	stage.Await(ctx, limit.PodGone, judge.Gone(agent.pod).And(judge.Gone(ordinary)))
	Expect(stage.History).To(judge.Disrupted(ordinary, evictedByTaint))
	// The contrast: who tolerates the taint stays, and comes back under it.
	Expect(stage.History).To(judge.Undisturbed(tolerant.pod))
	stage.comesBack(ctx, tolerant)
	stage.staysAway(ctx, agent)

	stage.Untaint(ctx, stage.node, noExecute)
	stage.awaitDaemon(ctx, agent)
}

func inTime(cluster *scene.Cluster) {
	It("evicts a Pod when the seconds are over for which it tolerates NoExecute", requirement.Checks("TOL-12"), func(ctx SpecContext) {
		stage := simulated(ctx, cluster)
		patient, forbearing := stage.pod(ctx, "patient", bearing(5)), stage.pod(ctx, "forbearing", always)

		stage.Taint(ctx, stage.node, noExecute)

		stage.Await(ctx, limit.PodGone, judge.Gone(patient))
		Expect(stage.History).To(judge.StaysAtLeast(patient, tainting(stage.node, noExecute), 5*time.Second))
		Expect(stage.History).To(judge.Disrupted(patient, evictedByTaint))
		Expect(stage.History).To(judge.Undisturbed(forbearing))
	})

	It("does not evict a Pod if the taint goes while the Pod still tolerates it", requirement.Checks("TOL-13"), func(ctx SpecContext) {
		stage := simulated(ctx, cluster)
		// The contrast is another node, whose taint comes later and stays: when its
		// Pod has gone, the time of the first one is over too.
		other := simulatedOn(ctx, stage.Scene)
		spared, evicted := stage.pod(ctx, "spared", bearing(10)), other.pod(ctx, "evicted", bearing(10))
		stage.Taint(ctx, stage.node, noExecute)
		other.Taint(ctx, other.node, noExecute)

		stage.Untaint(ctx, stage.node, noExecute)

		stage.Await(ctx, limit.PodGone, judge.Gone(evicted))
		stage.Hold(ctx, 2*time.Second, "the Pod stays that tolerated the taint as long as it was there")
		Expect(stage.History).To(judge.Undisturbed(spared))
	})

	It("evicts a Pod at once that does not tolerate NoExecute, or for no time at all", requirement.Checks("TOL-14"), func(ctx SpecContext) {
		stage := simulated(ctx, cluster)
		atOnce := []*corev1.Pod{stage.pod(ctx, "intolerant"), stage.pod(ctx, "zero", bearing(0)), stage.pod(ctx, "negative", bearing(-5))}
		patient, forbearing := stage.pod(ctx, "patient", bearing(5)), stage.pod(ctx, "forbearing", bearing(hour))

		stage.Taint(ctx, stage.node, noExecute)

		stage.Await(ctx, limit.PodGone, judge.Gone(patient))
		for _, pod := range atOnce {
			Expect(stage.History).To(judge.GoesBefore(pod, patient))
			Expect(stage.History).To(judge.Disrupted(pod, evictedByTaint))
		}
		Expect(stage.History).To(judge.Undisturbed(forbearing))
	})
}

// More taints than one.
var (
	quick = corev1.Taint{Key: "rollcall.dev/quick", Effect: corev1.TaintEffectNoExecute}
	slow  = corev1.Taint{Key: "rollcall.dev/slow", Effect: corev1.TaintEffectNoExecute}
)

// tolerate tolerates a taint for as long as it is there.
func tolerate(taint corev1.Taint) corev1.Toleration {
	return corev1.Toleration{Key: taint.Key, Operator: corev1.TolerationOpExists, Effect: taint.Effect}
}

func several(cluster *scene.Cluster) {
	both := func(forQuick int64) []corev1.Toleration {
		return []corev1.Toleration{forSeconds(quick.Key, quick.Effect, forQuick), forSeconds(slow.Key, slow.Effect, hour)}
	}

	It("evicts a Pod at once for a taint that it does not tolerate, even if it is due to go later for another", requirement.Checks("TOL-14"), func(ctx SpecContext) {
		later := forSeconds(slow.Key, slow.Effect, hour)
		stage := simulated(ctx, cluster, node.Tainted(slow))
		intolerant := stage.pod(ctx, "intolerant", later)
		// The contrast: the other taint alone evicts nobody so soon.
		forbearing := stage.pod(ctx, "forbearing", later, tolerate(quick))

		stage.Taint(ctx, stage.node, quick)

		stage.Await(ctx, limit.PodGone, judge.Gone(intolerant))
		Expect(stage.History).To(judge.Disrupted(intolerant, evictedByTaint))
		Expect(stage.History).To(judge.Undisturbed(forbearing))
	})

	It("goes by the taint that a Pod tolerates for the shortest time", requirement.Checks("TOL-15"), func(ctx SpecContext) {
		stage := simulated(ctx, cluster, node.Tainted(quick, slow))
		forbearing := stage.pod(ctx, "forbearing", both(hour)...)

		hasty := stage.pod(ctx, "hasty", both(5)...)

		stage.Await(ctx, limit.PodGone, judge.Gone(hasty))
		Expect(stage.History).To(judge.StaysAtLeast(hasty, "create Pod hasty", 5*time.Second))
		Expect(stage.History).To(judge.Disrupted(hasty, evictedByTaint))
		Expect(stage.History).To(judge.Undisturbed(forbearing))
	})

	It("goes by a taint that comes later and is tolerated for a shorter time", requirement.Checks("TOL-23"), func(ctx SpecContext) {
		stage := simulated(ctx, cluster)
		// The contrast: the same taint evicts a Pod that is not about to be evicted.
		hasty := stage.pod(ctx, "hasty", both(3)...)
		contrast := stage.pod(ctx, "contrast", forSeconds(quick.Key, quick.Effect, 3), tolerate(slow))
		stage.Taint(ctx, stage.node, slow)

		stage.Taint(ctx, stage.node, quick)

		stage.Await(ctx, limit.PodGone, judge.Gone(contrast))
		if !stage.Sees(ctx, 5*time.Second, judge.Gone(hasty)) {
			stage.Waive(firstTaintDecides, "Pod %s tolerates %s for 3 s and is still there, since it tolerates %s for %d s, which came before",
				hasty.Name, quick.ToString(), slow.ToString(), hour)
		}
	})
}

func loop(cluster *scene.Cluster) {
	It("evicts and recreates a DaemonSet's Pod again and again that tolerates its node for seconds only", requirement.Checks("TOL-17"), func(ctx SpecContext) {
		stage := simulated(ctx, cluster)
		looping, forbearing := stage.daemon(ctx, "looping", bearing(2)), stage.daemon(ctx, "forbearing", always)

		stage.Taint(ctx, stage.node, noExecute)

		stage.Await(ctx, limit.PodGone, stage.rounds(looping, 3))
		for _, pod := range stage.every(looping)[:2] {
			Expect(stage.History).To(judge.Disrupted(pod, evictedByTaint))
		}
		Expect(stage.History).To(judge.Undisturbed(forbearing.pod))
	})
}

// every returns each Pod that a DaemonSet ever had, as it was first seen.
func (s *spot) every(d *daemon) []*corev1.Pod {
	var pods []*corev1.Pod
	for _, change := range s.History.Changes() {
		if pod, ok := change.Object.(*corev1.Pod); ok && change.Before == nil && metav1.IsControlledBy(pod, d.set) {
			pods = append(pods, pod)
		}
	}
	return pods
}

// rounds is the condition that a DaemonSet has had n Pods one after the other.
func (s *spot) rounds(d *daemon, n int) judge.Condition {
	return judge.Condition{Claim: fmt.Sprintf("DaemonSet %s has had %d Pods", d.set.Name, n), Lacks: func(*history.State) string {
		if had := len(s.every(d)); had < n {
			return fmt.Sprintf("it has had %d", had)
		}
		return ""
	}}
}
