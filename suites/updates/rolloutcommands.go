package updates

import (
	"encoding/json"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/types"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

// restartedAt is the annotation by which 'kubectl rollout restart' changes a
// template.
const restartedAt = "kubectl.kubernetes.io/restartedAt"

func rolloutCommands(cluster *scene.Cluster) {
	It("lets 'kubectl rollout status' follow an update and end when the last new Pod is available", requirement.Checks("UPD-17"), func(ctx SpecContext) {
		agent := running(ctx, cluster, two, unavailable("1"))

		updated := agent.update(ctx, fixtures.Version("2"))

		agent.Await(ctx, limit.InTurn, saidToBeDone(agent.set.Name))
		agent.CatchUp(ctx, history.Pod)
		texts := agent.rolloutTexts(updated.Generation)
		for _, text := range texts {
			scene.Saw("kubectl rollout status says: %s", text)
		}
		Expect(agent.History).To(agent.allOf("2"))
		Expect(agent.History).To(judge.ReadyOnEach(agent.set.UID, agent.Nodes))
		Expect(texts).To(followStages("spec update to be observed", "new pods have been updated", "updated pods are available", "successfully rolled out"))
	})

	It("gives 'kubectl rollout status' nothing to follow with OnDelete", requirement.Checks("UPD-14"), func(ctx SpecContext) {
		agent := fixtures.DaemonSet("agent")
		fixtures.OnDelete(agent)

		stored, err := cluster.Desk(ctx).DaemonSet(ctx, agent)

		scene.Must(err)
		_, _, err = rolloutStatus(stored)
		scene.Saw("kubectl rollout status says: %v", err)
		Expect(err).To(MatchError(ContainSubstring("only available for RollingUpdate")))
	})

	It("cannot be paused", requirement.Checks("UPD-18"), func(ctx SpecContext) {
		agent := fixtures.DaemonSet("agent")
		agent.TypeMeta = metav1.TypeMeta{APIVersion: "apps/v1", Kind: "DaemonSet"}
		agent.Spec.Template.Spec.Containers[0].Image = cluster.Image

		Expect(pause(&appsv1.Deployment{})).To(Succeed(), "the contrast: a Deployment can be paused")
		Expect(pause(agent)).To(MatchError(ContainSubstring("pausing is not supported")))
		Expect(createStrictly(ctx, cluster.Desk(ctx), agent, false)).To(Succeed())
		Expect(createStrictly(ctx, cluster.Desk(ctx), agent, true)).To(MatchError(ContainSubstring(`unknown field "spec.paused"`)))
		scene.Saw("kubectl refuses to pause a DaemonSet, and the API knows no field for it")
	})

	It("restarts all its Pods within its budget after 'kubectl rollout restart'", requirement.Checks("UPD-19"), func(ctx SpecContext) {
		agent := running(ctx, cluster, two, unavailable("1"))

		agent.restart(ctx)

		agent.Await(ctx, limit.InTurn, judge.EachPod(agent.set.UID, "is made after the restart", notRestarted).
			And(judge.ReadyOnEach(agent.set.UID, agent.Nodes)).And(judge.Complete(agent.set.Name, agent.Nodes)))
		agent.CatchUp(ctx, history.Pod, history.ControllerRevision)
		agent.expectUntouched(0)
		Expect(agent.History).To(agent.UnavailableAtMost(1))
		Expect(agent.History).To(judge.RevisionsAre(agent.set.UID, 1, 2))
		scene.Saw("%d Pods were replaced, one at a time", agent.Nodes.Len())
	})
}

func notRestarted(pod *corev1.Pod) string {
	if pod.Annotations[restartedAt] == "" {
		return "lacks the annotation " + restartedAt
	}
	return ""
}

// saidToBeDone is the condition that 'kubectl rollout status' would end well.
func saidToBeDone(name string) judge.Condition {
	return judge.Condition{Claim: "kubectl rollout status says that DaemonSet " + name + " is rolled out", Lacks: func(state *history.State) string {
		text, done, err := rolloutStatus(state.DaemonSet(name))
		if err != nil {
			return err.Error()
		}
		if !done {
			return text
		}
		return ""
	}}
}

// rolloutTexts returns what 'kubectl rollout status' prints from a generation of
// the DaemonSet on, each text once.
func (s *subject) rolloutTexts(generation int64) []string {
	var texts []string
	for _, change := range s.History.Lives(s.set.UID) {
		daemonSet, ok := change.Object.(*appsv1.DaemonSet)
		if !ok || daemonSet.Generation < generation {
			continue
		}
		text, _, err := rolloutStatus(daemonSet)
		scene.Must(err)
		texts = append(texts, strings.TrimSpace(text))
	}
	return slices.Compact(texts)
}

// followStages expects texts that go through stages, each one told by words:
// none left out, none returned to.
func followStages(stages ...string) types.GomegaMatcher {
	return WithTransform(func(texts []string) []string {
		var passed []string
		for _, text := range texts {
			passed = append(passed, stageOf(text, stages))
		}
		return slices.Compact(passed)
	}, Equal(stages))
}

func stageOf(text string, stages []string) string {
	for _, stage := range stages {
		if strings.Contains(text, stage) {
			return stage
		}
	}
	return text
}

// createStrictly asks what the API server says to a DaemonSet, with a field that
// pauses it or without, if it must know every field.
func createStrictly(ctx SpecContext, desk *scene.Desk, daemonSet *appsv1.DaemonSet, paused bool) error {
	raw, err := json.Marshal(daemonSet)
	scene.Must(err)
	if paused {
		raw = []byte(strings.Replace(string(raw), `"spec":{`, `"spec":{"paused":true,`, 1))
	}
	return desk.Client.AppsV1().RESTClient().Post().Namespace(desk.Namespace).Resource("daemonsets").
		Param("dryRun", metav1.DryRunAll).Param("fieldValidation", metav1.FieldValidationStrict).
		SetHeader("Content-Type", "application/json").Body(raw).Do(ctx).Error()
}
