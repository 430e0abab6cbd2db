package nodes

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/node"
	"rollcall.dev/rollcall/framework/scene"
)

// both are a key's taints: nothing new comes to the node, and what does not
// tolerate it goes.
func both(key string) []corev1.Taint { return []corev1.Taint{noSchedule(key), noExecute(key)} }

func noSchedule(key string) corev1.Taint {
	return corev1.Taint{Key: key, Effect: corev1.TaintEffectNoSchedule}
}

func noExecute(key string) corev1.Taint {
	return corev1.Taint{Key: key, Effect: corev1.TaintEffectNoExecute}
}

// on keeps Pods to a simulated node.
func on(made *node.Simulated) fixtures.PodOption {
	return fixtures.OnlyOn(made.Node.Name, made.Fence)
}

// view is how old what the control plane goes by may be: it looks at the nodes every
// 5 s.
const view = 6 * time.Second

// awaitKnown lets the control plane learn that new nodes are Ready, before Pods come
// to them. Until then it may call a Pod there not Ready.
func awaitKnown(ctx SpecContext, stage *scene.Scene) {
	GinkgoHelper()
	stage.Hold(ctx, view, "the control plane has seen that the nodes are Ready")
}

// daemonOn makes a DaemonSet for just one node and returns it with its Pod there,
// which is Ready.
func daemonOn(ctx SpecContext, stage *scene.Scene, name string, made *node.Simulated) (*appsv1.DaemonSet, *corev1.Pod) {
	GinkgoHelper()
	agent := stage.CreateDaemonSet(ctx, fixtures.DaemonSet(name, on(made)))
	return agent, awaitDaemon(ctx, stage, agent, stage.Targets(agent, 1), made)
}

func awaitDaemon(ctx SpecContext, stage *scene.Scene, agent *appsv1.DaemonSet, nodes judge.Nodes, made *node.Simulated) *corev1.Pod {
	GinkgoHelper()
	state := stage.Await(ctx, limit.PodReady, judge.ReadyOnEach(agent.UID, nodes).And(judge.Complete(agent.Name, nodes)))
	return judge.PodsByNode(state, agent.UID, nodes)[made.Node.Name]
}

// ordinaryOn makes a Pod on a node that nothing controls, and waits until it is
// Ready.
func ordinaryOn(ctx SpecContext, stage *scene.Scene, name string, made *node.Simulated) *corev1.Pod {
	GinkgoHelper()
	pod := stage.CreatePod(ctx, fixtures.Pod(name, on(made)))
	stage.Await(ctx, limit.PodReady, judge.Is(pod, "is Ready", judge.Ready))
	return pod
}

// awaitUnreachable waits until the control plane has noticed that a node is
// silent.
func awaitUnreachable(ctx SpecContext, stage *scene.Scene, made *node.Simulated) {
	GinkgoHelper()
	stage.Await(ctx, limit.Silence, judge.Unreachable(made.Node.Name))
}
