package outages

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

// away is how long the kubelet is stopped: the control plane misses it after 50 s, and
// almost a minute is left to see what comes of that.
const away = 110 * time.Second

func silence(cluster *scene.Cluster) {
	It("taints a silent node, leaves its daemons alone, holds up what is deleted there, and heals when the kubelet is back", requirement.Checks("OUT-01", "OUT-02", "OUT-03", "OUT-04"), func(ctx SpecContext) {
		stage := cluster.OpenPrivileged(ctx)
		node := stage.LendNode(ctx)
		_, stays := daemon(ctx, stage, "stays", node)
		deleting, deleted := daemon(ctx, stage, "deleted", node)
		ordinary := stage.CreatePod(ctx, fixtures.Pod("ordinary", fixtures.OnNodes(node.Name), fixtures.Tolerate(forSeconds(3))))
		stage.Await(ctx, limit.PodReady, judge.IsReady(ordinary))

		stage.StopKubelet(ctx, node.Name, away)

		stage.Await(ctx, limit.Status, judge.Unreachable(node.Name))
		stage.DeletePod(ctx, deleted)
		stage.Await(ctx, limit.Status, judge.Is(ordinary, "is asked to go", judge.Terminating))
		stage.Hold(ctx, limit.Sweep, "the deleted Pod stays, and none comes in its place")
		stillAway(stage, node)
		Expect(stage.History).To(judge.Is(deleted, "is Terminating", judge.Terminating))
		Expect(stage.History).To(judge.NoneMadeBut(deleting.UID, node.Name, deleted.UID))

		stage.AwaitKubelet(ctx, node.Name)

		stage.Await(ctx, limit.PodReady, judge.IsReady(stays).And(judge.Untainted(node.Name, corev1.TaintNodeUnreachable)))
		stage.Await(ctx, limit.PodGone, judge.Gone(ordinary).And(judge.Gone(deleted)))
		stage.Await(ctx, limit.PodReady, judge.ReadyOnEach(deleting.UID, stage.Eligible(deleting)))
		Expect(stage.History).To(judge.Undisturbed(stays))
		Expect(stage.History).To(judge.NotRestarted(stays, "app"))
		scene.Saw("Pod %s outlived the outage: %s", stays.Name, judge.DescribePod(stage.History.Latest().Pod(stays.Name)))
	})
}

// stillAway ends the spec without a verdict where a node came back before all was
// seen.
func stillAway(stage *scene.Scene, node *corev1.Node) {
	GinkgoHelper()
	if lacks := judge.ReadyIs(node.Name, corev1.ConditionUnknown).Lacks(stage.History.Latest()); lacks != "" {
		scene.Doubt("node %s came back too early: its kubelet was started by somebody else, or the control plane misses a node so late that it needs a higher --timeout-scale: %s", node.Name, lacks)
		Fail("the node came back before all was seen")
	}
}

// daemon makes a DaemonSet with one Ready Pod, on a node.
func daemon(ctx SpecContext, stage *scene.Scene, name string, node *corev1.Node) (*appsv1.DaemonSet, *corev1.Pod) {
	GinkgoHelper()
	made := stage.CreateDaemonSet(ctx, fixtures.DaemonSet(name, fixtures.OnNodes(node.Name)))
	nodes := stage.Targets(made, 1)
	state := stage.Await(ctx, limit.PodReady, judge.ReadyOnEach(made.UID, nodes))
	return made, onlyPod(state, made)
}

func onlyPod(state *history.State, made *appsv1.DaemonSet) *corev1.Pod {
	pods := state.PodsOf(made.UID)
	Expect(pods).To(HaveLen(1))
	return pods[0]
}

// forSeconds tolerates an unreachable node for so long.
func forSeconds(seconds int64) corev1.Toleration {
	return corev1.Toleration{
		Key: corev1.TaintNodeUnreachable, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute,
		TolerationSeconds: ptr.To(seconds),
	}
}
