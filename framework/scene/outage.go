package scene

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/onsi/ginkgo/v2"
	corev1 "k8s.io/api/core/v1"
	utilrand "k8s.io/apimachinery/pkg/util/rand"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/node"
)

// The verbs of this file act through a Pod on the node, in a namespace that lets
// it: see OpenPrivileged.

// StopKubelet stops the kubelet of a lent node for so long, or longer where limits are,
// and returns once the control plane has missed it. The node starts it again by
// itself.
func (s *Scene) StopKubelet(ctx context.Context, name string, away time.Duration) {
	ginkgo.GinkgoHelper()
	mine, away := s.own(name), max(away, s.scaled(away))
	mine.away = true
	record, err := s.hand().ForeseeOutage(ctx, name, mine.uid, away)
	Must(err)
	mine.open = append(mine.open, record)
	s.History.Mark(fmt.Sprintf("stop the kubelet of node %s for %s", name, away))
	agent := s.onNode(ctx, name, node.StopKubelet("rollcall-"+utilrand.String(6), away))
	state := s.Await(ctx, limit.Silence, missed(name, agent))
	mustHaveWorked(name, state.Pod(agent.Name))
}

// AwaitKubelet waits until a node whose kubelet was stopped is Ready again and
// takes Pods.
func (s *Scene) AwaitKubelet(ctx context.Context, name string) {
	ginkgo.GinkgoHelper()
	s.Await(ctx, limit.Return, takesPods(name))
	s.CatchUp(ctx, history.Pod)
}

// Replace deletes the Node object of a lent node and creates it again as it was:
// the same machine under the same name, with another UID.
func (s *Scene) Replace(ctx context.Context, name string) *corev1.Node {
	ginkgo.GinkgoHelper()
	mine := s.own(name)
	if finalizers := s.History.Latest().Node(name).Finalizers; len(finalizers) > 0 {
		ginkgo.Skip(fmt.Sprintf("node %s has the finalizers %v: whoever set them acts on its deletion, and may end the machine", name, finalizers))
	}
	mine.away = true
	s.RunOnNode(ctx, name, node.RestartKubelet("rollcall-"+utilrand.String(6)))
	s.History.Mark("delete node " + name + " and create it again")
	record, err := s.hand().Replace(ctx, name, mine.uid)
	mine.open = append(mine.open, record)
	Must(err)
	s.CatchUp(ctx, history.Node)
	after := s.Await(ctx, limit.Return, takesPods(name)).Node(name)
	s.known(after)
	return after
}

// RunOnNode runs a shell command on a lent node, as root, and returns once it has
// ended well.
func (s *Scene) RunOnNode(ctx context.Context, name, command string) {
	ginkgo.GinkgoHelper()
	s.own(name)
	s.History.Mark("run on node " + name + ": " + command)
	agent := s.onNode(ctx, name, command)
	state := s.Await(ctx, limit.PodReady, judge.Finishes(agent))
	mustHaveWorked(name, state.Pod(agent.Name))
}

// mustHaveWorked ends the spec where an agent's command failed, which says nothing
// about the requirement.
func mustHaveWorked(name string, agent *corev1.Pod) {
	ginkgo.GinkgoHelper()
	if agent.Status.Phase == corev1.PodFailed {
		Doubt("node %s could not be acted on: %s%s", name, judge.DescribePod(agent), lastWords(agent))
		ginkgo.Fail("a command failed on the node")
	}
}

// lastWords is what an agent's command said when it failed.
func lastWords(agent *corev1.Pod) string {
	for _, container := range agent.Status.ContainerStatuses {
		if ended := container.State.Terminated; ended != nil && ended.Message != "" {
			return ": " + strings.Join(strings.Fields(ended.Message), " ")
		}
	}
	return ""
}

func (s *Scene) onNode(ctx context.Context, name, command string) *corev1.Pod {
	ginkgo.GinkgoHelper()
	return s.CreatePod(ctx, fixtures.Agent("agent-"+utilrand.String(5), name, command))
}

// missed is the condition that the control plane no longer hears a node, or never
// will, since the agent could not stop its kubelet.
func missed(name string, agent *corev1.Pod) judge.Condition {
	return judge.Condition{Claim: "node " + name + " is no longer heard of", Lacks: func(state *history.State) string {
		if pod := state.Pod(agent.Name); pod != nil && pod.Status.Phase == corev1.PodFailed {
			return ""
		}
		return judge.ReadyIs(name, corev1.ConditionUnknown).Lacks(state)
	}}
}

// loseSandbox kills the process that holds a Pod's sandbox. To stop a sandbox takes its
// containers first, which a kubelet may restart before it sees that the sandbox has
// gone; only a runtime whose sandboxes have no process is asked to do that. Left to
// itself, crictl gives a runtime two seconds, which a busy node exceeds.
const loseSandbox = `sandbox=$(crictl --timeout 60s pods --quiet --namespace %s --name '^%s$')
pid=$(crictl --timeout 60s inspectp --output go-template --template '{{.info.pid}}' $sandbox)
if [ "$pid" -gt 1 ] 2>/dev/null; then kill -9 $pid; else crictl --timeout 60s stopp $sandbox; fi`

// LostSandbox tells in the note of a requirement how LoseSandbox does it.
const LostSandbox = "The process that holds the sandbox is killed on the node."

// LoseSandbox takes the sandbox of a Pod on a lent node away, as a crash would.
func (s *Scene) LoseSandbox(ctx context.Context, pod *corev1.Pod) {
	ginkgo.GinkgoHelper()
	on := s.History.Latest().Pod(pod.Name).Spec.NodeName
	s.RunOnNode(ctx, on, fmt.Sprintf(loseSandbox, s.Namespace, pod.Name))
}
