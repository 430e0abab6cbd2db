package drain

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/node"
	"rollcall.dev/rollcall/framework/scene"
)

// trial is a node with a DaemonSet on it, whose Pod there is Ready.
type trial struct {
	*scene.Scene
	node string
	// hostname is the node's label, by which Pods are kept to it.
	hostname string
	// machine is the simulated node; nil if the node is a real one.
	machine *node.Simulated
	agent   *appsv1.DaemonSet
	nodes   judge.Nodes
	// daemon is the DaemonSet's Pod.
	daemon *corev1.Pod
}

// simulated sets the trial up on a node of rollcall's own: what cordon and drain
// do is the control plane's and kubectl's work.
func simulated(ctx SpecContext, cluster *scene.Cluster, options ...fixtures.PodOption) *trial {
	GinkgoHelper()
	stage := cluster.Open(ctx)
	made := stage.SimulateNode(ctx)
	return (&trial{Scene: stage, node: made.Node.Name, hostname: made.Node.Name, machine: made}).begin(ctx, options...)
}

func (t *trial) begin(ctx SpecContext, options ...fixtures.PodOption) *trial {
	GinkgoHelper()
	t.agent = t.CreateDaemonSet(ctx, fixtures.DaemonSet("agent", append(options, t.here())...))
	t.nodes = t.Targets(t.agent, 1)
	t.daemon = t.awaitDaemon(ctx)
	return t
}

// here keeps a Pod to the trial's node.
func (t *trial) here() fixtures.PodOption {
	if t.machine == nil {
		return fixtures.NodeSelector(corev1.LabelHostname, t.hostname)
	}
	return fixtures.OnlyOn(t.hostname, t.machine.Fence)
}

// awaitDaemon waits until the DaemonSet has its Ready Pod and says so.
func (t *trial) awaitDaemon(ctx SpecContext) *corev1.Pod {
	GinkgoHelper()
	state := t.Await(ctx, limit.PodReady, judge.ReadyOnEach(t.agent.UID, t.nodes).And(judge.Complete(t.agent.Name, t.nodes)))
	return judge.PodsByNode(state, t.agent.UID, t.nodes)[t.node]
}

// ordinary creates a Pod that nothing controls, and waits until it is Ready.
func (t *trial) ordinary(ctx SpecContext, name string, options ...fixtures.PodOption) *corev1.Pod {
	GinkgoHelper()
	pod := t.CreatePod(ctx, fixtures.Pod(name, append(options, t.here())...))
	t.Await(ctx, limit.PodReady, podIs(name, "Ready", judge.Ready))
	return pod
}

// finish lets a simulated machine tell that a Pod's containers have ended.
func (t *trial) finish(ctx SpecContext, pod *corev1.Pod, phase corev1.PodPhase) {
	GinkgoHelper()
	t.History.Mark(fmt.Sprintf("let Pod %s end as %s", pod.Name, phase))
	scene.Must(t.machine.Finish(ctx, pod, phase))
	t.Await(ctx, limit.Status, judge.Finishes(pod))
}

func podIs(name, what string, holds func(*corev1.Pod) bool) judge.Condition {
	return judge.Condition{Claim: "Pod " + name + " is " + what, Lacks: func(state *history.State) string {
		pod := state.Pod(name)
		switch {
		case pod == nil:
			return "it is not there"
		case !holds(pod):
			return "it is " + judge.DescribePod(pod)
		}
		return ""
	}}
}

func gone(name string) judge.Condition {
	return judge.Condition{Claim: "Pod " + name + " is gone", Lacks: func(state *history.State) string {
		if pod := state.Pod(name); pod != nil {
			return "it is " + judge.DescribePod(pod)
		}
		return ""
	}}
}

// The documented taint of a cordoned node.
var unschedulable = corev1.Taint{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule}

// isCordoned is the condition that a node takes no Pods and carries the taint
// that says so; isOpen that neither is the case.
func isCordoned(name string) judge.Condition { return cordonIs(name, true) }
func isOpen(name string) judge.Condition     { return cordonIs(name, false) }

func cordonIs(name string, cordoned bool) judge.Condition {
	claim := fmt.Sprintf("node %s has unschedulable=%v and the taint that goes with it", name, cordoned)
	return judge.Condition{Claim: claim, Lacks: func(state *history.State) string {
		object := state.Node(name)
		if object == nil {
			return "the node is gone"
		}
		_, tainted := node.Take(object)[node.Taint(unschedulable).String()]
		if object.Spec.Unschedulable != cordoned || tainted != cordoned {
			return "it is " + judge.DescribeNode(object)
		}
		return ""
	}}
}

// answers expects a command's exit code and what it says.
func answers(answer node.Answer, code int, says string) {
	GinkgoHelper()
	scene.Saw("kubectl ended with %d: %s%s", answer.Code, answer.Out, answer.Err)
	Expect(answer.Code).To(Equal(code), answer.Err)
	Expect(answer.Out + answer.Err).To(MatchRegexp(says))
}
