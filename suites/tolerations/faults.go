package tolerations

import (
	"fmt"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/scene"
)

// outOfDisk was a taint until Kubernetes 1.12.
const outOfDisk = "node.kubernetes.io/out-of-disk"

// The taints that the specs speak of.
var (
	notReady           = corev1.Taint{Key: corev1.TaintNodeNotReady, Effect: corev1.TaintEffectNoExecute}
	unreachable        = corev1.Taint{Key: corev1.TaintNodeUnreachable, Effect: corev1.TaintEffectNoExecute}
	networkUnavailable = corev1.Taint{Key: corev1.TaintNodeNetworkUnavailable, Effect: corev1.TaintEffectNoSchedule}
)

func forSeconds(key string, effect corev1.TaintEffect, seconds int64) corev1.Toleration {
	return corev1.Toleration{Key: key, Operator: corev1.TolerationOpExists, Effect: effect, TolerationSeconds: ptr.To(seconds)}
}

// lacking finds that a Pod does not tolerate a taint.
func lacking(taint corev1.Taint) judge.Fault {
	return func(pod *corev1.Pod) string {
		if slices.ContainsFunc(pod.Spec.Tolerations, func(t corev1.Toleration) bool { return judge.Tolerates(t, taint) }) {
			return ""
		}
		return "does not tolerate " + taint.ToString()
	}
}

// tolerating finds that a Pod has a toleration for a key.
func tolerating(key string) judge.Fault {
	return func(pod *corev1.Pod) string {
		for _, toleration := range judge.TolerationsFor(pod, key) {
			return "tolerates " + judge.DescribeToleration(toleration)
		}
		return ""
	}
}

// bare finds that a Pod has no toleration for a taint of Kubernetes itself.
func bare(pod *corev1.Pod) string {
	for _, toleration := range pod.Spec.Tolerations {
		if strings.HasPrefix(toleration.Key, "node.kubernetes.io/") {
			return ""
		}
	}
	return "has no automatic toleration at all"
}

// noNodeTainted is the condition that no node carries a taint of that key.
func noNodeTainted(key string) judge.Condition {
	return judge.Condition{Claim: "no node carries the taint " + key, Lacks: func(state *history.State) string {
		for _, node := range state.Nodes() {
			if judge.HasTaint(node, key) {
				return fmt.Sprintf("node %s carries it", node.Name)
			}
		}
		return ""
	}}
}

// sawAdded notes the tolerations of one Pod of a DaemonSet beyond its own.
func sawAdded(stage *scene.Scene, daemonSet types.UID, own ...corev1.Toleration) {
	for _, pod := range stage.History.Latest().PodsOf(daemonSet) {
		added := judge.Without(pod.Spec.Tolerations, own)
		scene.Saw("Pod %s got the tolerations %s", pod.Name, judge.DescribeTolerations(added))
		return
	}
}

// doubtIfAdmissionTolerates makes the verdict inconclusive where every Pod gets
// more tolerations than the two that are documented: what a DaemonSet's Pods
// have then says nothing about their controller.
func doubtIfAdmissionTolerates(ctx SpecContext, stage *scene.Scene, options ...fixtures.PodOption) {
	asked := fixtures.Pod("ordinary", options...)
	got, err := stage.Desk().Pod(ctx, asked.DeepCopy())
	scene.Must(err)
	added := slices.DeleteFunc(judge.Without(got.Spec.Tolerations, asked.Spec.Tolerations), func(t corev1.Toleration) bool {
		return t.Key == notReady.Key || t.Key == unreachable.Key
	})
	if len(added) > 0 {
		scene.Doubt("admission gives every Pod the tolerations %s", judge.DescribeTolerations(added))
	}
}
