package updates

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/node"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

func unreachable(cluster *scene.Cluster) {
	It("goes no further while a node cannot be reached, and goes on when the node is back", requirement.Checks("UPD-21"), func(ctx SpecContext) {
		stage := cluster.OpenApart(ctx)
		lost := simulate(ctx, stage, few)[0]
		agent := onPool(ctx, stage, "agent", unavailable("1"))
		// The contrast: on the same nodes, one whose budget is raised.
		widened := onPool(ctx, stage, "widened", unavailable("1"))
		lose(ctx, lost, agent, widened)

		agent.update(ctx, fixtures.Version("2"))
		widened.update(ctx, fixtures.Version("2"))

		agent.awaitToldToGo(ctx, lost)
		widened.awaitToldToGo(ctx, lost)
		widened.update(ctx, unavailable("2"))
		widened.awaitOthers(ctx, "2")
		agent.expectHeldUp(ctx, lost)
		Expect(agent.History).To(agent.SparesAvailable(1))
		Expect(widened.History).To(widened.SparesAvailable(2))
		// From here on the budget may say nothing of this node: until its taint has gone,
		// which may be after its old Pod has, it is none that should run a Pod.
		agent.Wake(ctx, lost)
		agent.awaitVersion(ctx, "2")
		widened.awaitVersion(ctx, "2")
	})

	It("goes on with the other nodes when the Pod of the one that cannot be reached is deleted by force", requirement.Checks("UPD-21"), func(ctx SpecContext) {
		stage := cluster.OpenApart(ctx)
		lost := simulate(ctx, stage, few)[0]
		agent := onPool(ctx, stage, "agent", unavailable("1"))
		lose(ctx, lost, agent)
		agent.update(ctx, fixtures.Version("2"))
		held := agent.awaitToldToGo(ctx, lost)
		agent.expectHeldUp(ctx, lost)

		agent.ForceDeletePod(ctx, held)

		agent.awaitOthers(ctx, "2")
		Expect(agent.History).To(judge.NoneMadeBut(agent.set.UID, lost.Node.Name, held.UID))
		agent.Wake(ctx, lost)
		agent.awaitVersion(ctx, "2")
	})
}

func joining(cluster *scene.Cluster) {
	It("gives a node that joins during an update a Pod of the new version at once", requirement.Checks("UPD-22"), func(ctx SpecContext) {
		stage := cluster.OpenApart(ctx)
		nodes := simulate(ctx, stage, 2)
		agent := onPool(ctx, stage, "agent", unavailable("1"))
		// The Pods of a silent node do not end, so that the update stands still with
		// one Pod on its way out and the other one of version 1.
		for _, made := range nodes {
			stage.Silence(made)
		}
		agent.update(ctx, fixtures.Version("2"))
		agent.awaitStandstill(ctx)

		late := stage.SimulateNode(ctx, stage.Pooled())

		atOnce := judge.EachMadeFor(agent.set.UID, late.Node.Name, "is of version 2", not("2"))
		begun := agent.Await(ctx, limit.Placement, atOnce.Of(agent.History.History))
		agent.needsOld(begun)
		agent.Nodes = stage.Targets(agent.set, 3)
		scene.Saw("when node %s had its Pod, the versions were %v", late.Node.Name, agent.versions(begun))
		for _, made := range nodes {
			stage.Wake(ctx, made)
		}
		ended := agent.awaitVersion(ctx, "2")
		Expect(agent.History).To(atOnce)
		Expect(agent.History).To(judge.Undisturbed(judge.PodsByNode(ended, agent.set.UID, agent.Nodes)[late.Node.Name]))
	})
}

// simulate makes the simulated nodes of this spec's pool.
func simulate(ctx SpecContext, stage *scene.Scene, n int) []*node.Simulated {
	GinkgoHelper()
	made := make([]*node.Simulated, n)
	for i := range made {
		made[i] = stage.SimulateNode(ctx, stage.Pooled())
	}
	return made
}

// onPool returns a DaemonSet with a Ready Pod on each node of this spec's pool.
func onPool(ctx SpecContext, stage *scene.Scene, name string, changes ...func(*appsv1.DaemonSet)) *subject {
	GinkgoHelper()
	return create(ctx, stage, fixtures.DaemonSet(name, stage.AmongPool()), changes...).started(ctx)
}

// lose takes a node's life, and waits until its Pods are known to be lost.
func lose(ctx SpecContext, made *node.Simulated, agents ...*subject) {
	GinkgoHelper()
	agents[0].Silence(made)
	agents[0].Await(ctx, limit.Silence, judge.Unreachable(made.Node.Name))
	for _, agent := range agents {
		agent.Await(ctx, limit.Status, judge.Is(agent.first[made.Node.Name], "is not Ready", unready))
	}
}

func unready(pod *corev1.Pod) bool { return !judge.Ready(pod) }

// awaitToldToGo waits until the first Pod of a node is told to go.
func (s *subject) awaitToldToGo(ctx SpecContext, made *node.Simulated) *corev1.Pod {
	GinkgoHelper()
	pod := s.first[made.Node.Name]
	s.Await(ctx, limit.Placement, judge.Is(pod, "is told to go", judge.Terminating))
	return pod
}

// expectHeldUp watches an update that waits for the Pod of a node: it is still on
// its way out, and the other nodes keep their first ones.
func (s *subject) expectHeldUp(ctx SpecContext, made *node.Simulated) {
	GinkgoHelper()
	s.Hold(ctx, quiet, "the update takes another node")
	s.CatchUp(ctx, history.Pod)
	state, held := s.History.Latest(), s.first[made.Node.Name]
	scene.Saw("after %s Pod %s of the lost node is %s, and the versions of the others are %v", quiet, held.Name, judge.DescribePod(state.Pod(held.Name)), s.versions(state))
	Expect(s.History).To(judge.Is(held, "is still terminating", judge.Terminating))
	s.expectUntouched(s.Nodes.Len() - 1)
}

// awaitStandstill waits until one of the first Pods is told to go.
func (s *subject) awaitStandstill(ctx SpecContext) {
	GinkgoHelper()
	s.Await(ctx, limit.Placement, judge.Condition{Claim: "a Pod of version 1 is told to go", Lacks: func(state *history.State) string {
		if live := s.of(state, "1"); len(live) == len(s.first) {
			return "all of them stay"
		}
		return ""
	}})
}

// awaitOthers waits until the nodes that can be reached run a version.
func (s *subject) awaitOthers(ctx SpecContext, version string) {
	GinkgoHelper()
	rest := s.Targets(s.set, few-1)
	state := s.Await(ctx, limit.InTurn, s.allOf(version).And(judge.ReadyOnEach(s.set.UID, rest)))
	s.CatchUp(ctx, history.Pod)
	scene.Saw("without the lost node, DaemonSet %s went on: the versions are %v", s.set.Name, s.versions(state))
}
