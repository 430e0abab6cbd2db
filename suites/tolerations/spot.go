package tolerations

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/node"
	"rollcall.dev/rollcall/framework/scene"
)

// ours is the taint of these specs, whose effect each of them chooses.
const ours = "rollcall.dev/trial"

var (
	noSchedule = corev1.Taint{Key: ours, Value: "yes", Effect: corev1.TaintEffectNoSchedule}
	noExecute  = corev1.Taint{Key: ours, Value: "yes", Effect: corev1.TaintEffectNoExecute}
	// always tolerates both.
	always = corev1.Toleration{Key: ours, Operator: corev1.TolerationOpExists}
)

// spot is a node to taint, and what keeps Pods to it.
type spot struct {
	*scene.Scene
	node string
	here fixtures.PodOption
	// machine is the simulated node; nil if the node is a real one.
	machine *node.Simulated
}

func simulated(ctx SpecContext, cluster *scene.Cluster, options ...node.SimulatedOption) *spot {
	GinkgoHelper()
	return simulatedOn(ctx, cluster.Open(ctx), options...)
}

func simulatedOn(ctx SpecContext, stage *scene.Scene, options ...node.SimulatedOption) *spot {
	GinkgoHelper()
	made := stage.SimulateNode(ctx, options...)
	return &spot{stage, made.Node.Name, fixtures.Fenced(made.Fence, made.Node.Name), made}
}

func lent(ctx SpecContext, cluster *scene.Cluster) *spot {
	GinkgoHelper()
	stage := cluster.Open(ctx)
	name := stage.LendNode(ctx).Name
	return &spot{stage, name, fixtures.OnNodes(name), nil}
}

// daemon is a DaemonSet on the spot and nowhere else.
type daemon struct {
	set   *appsv1.DaemonSet
	nodes judge.Nodes
	// pod is its first Pod.
	pod *corev1.Pod
}

// daemon creates a DaemonSet and waits for its Ready Pod.
func (s *spot) daemon(ctx SpecContext, name string, tolerations ...corev1.Toleration) *daemon {
	GinkgoHelper()
	d := &daemon{set: s.CreateDaemonSet(ctx, fixtures.DaemonSet(name, s.here, fixtures.Tolerate(tolerations...)))}
	d.nodes = s.Targets(d.set, 1)
	d.pod = s.awaitDaemon(ctx, d)
	return d
}

func (s *spot) awaitDaemon(ctx SpecContext, d *daemon) *corev1.Pod {
	GinkgoHelper()
	state := s.Await(ctx, limit.PodReady, judge.ReadyOnEach(d.set.UID, d.nodes).And(judge.Complete(d.set.Name, d.nodes)))
	return judge.PodsByNode(state, d.set.UID, d.nodes)[s.node]
}

// steadfast tolerates trouble of the node itself for ever, as a DaemonSet's Pods
// do. The control plane may take a simulated node for one that is not Ready right
// after it is; other Pods would be due to be evicted from then on, and nothing
// hastens that (TOL-23).
var steadfast = fixtures.Tolerate(
	corev1.Toleration{Key: notReady.Key, Operator: corev1.TolerationOpExists, Effect: notReady.Effect},
	corev1.Toleration{Key: unreachable.Key, Operator: corev1.TolerationOpExists, Effect: unreachable.Effect},
)

// pod creates an ordinary Pod, and waits until it is Ready.
func (s *spot) pod(ctx SpecContext, name string, tolerations ...corev1.Toleration) *corev1.Pod {
	GinkgoHelper()
	pod := s.CreatePod(ctx, fixtures.Pod(name, s.here, steadfast, fixtures.Tolerate(tolerations...)))
	s.Await(ctx, limit.PodReady, judge.IsReady(pod))
	return pod
}

// comesBack expects that the Pod of a DaemonSet, when it is deleted, is followed
// by another one: the controller is at work on this node.
func (s *spot) comesBack(ctx SpecContext, d *daemon) {
	GinkgoHelper()
	before := s.awaitDaemon(ctx, d)
	s.DeletePod(ctx, before)
	s.Await(ctx, limit.PodGone, judge.Gone(before))
	scene.Saw("Pod %s of DaemonSet %s was deleted under the taint and %s came in its place", before.Name, d.set.Name, s.awaitDaemon(ctx, d).Name)
}

// staysAway expects that a DaemonSet counts the node no longer and has had no Pod
// for it but its first.
func (s *spot) staysAway(ctx SpecContext, d *daemon) {
	GinkgoHelper()
	s.Await(ctx, limit.Status, judge.Counts(d.set.Name, 0, 0))
	Expect(s.History).To(judge.NoneMadeBut(d.set.UID, s.node, d.pod.UID))
}

// tainting is how a history marks that a taint is set.
func tainting(node string, taint corev1.Taint) string {
	return "taint node " + node + " with " + taint.ToString()
}
