package coverage

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

// quiet is how long neighbours are watched. Both controllers are made to look
// again at its start, and each reacts within a second or two.
const quiet = 10 * time.Second

func neighbours(cluster *scene.Cluster) {
	It("leaves a Pod alone that its selector matches and another object controls", requirement.Checks("COV-36"), func(ctx SpecContext) {
		stage := cluster.Open(ctx)
		labels := fixtures.DaemonSet("agent").Spec.Selector.MatchLabels
		foreign := stage.CreatePod(ctx, ownedBy(account(ctx, stage), labelled("foreign", labels)))
		// The contrast: a Pod like it that nothing controls is adopted.
		stray := stage.CreatePod(ctx, labelled("stray", labels))

		agent := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("agent", fixtures.Unscheduled))

		stage.Await(ctx, limit.Placement, judge.ControlledBy(stray, agent.UID).And(judge.Scheduled(agent.Name, stage.Targets(agent, 1))))
		stage.CatchUp(ctx, history.Pod)
		scene.Saw("Pod %s was adopted, Pod %s was left alone", stray.Name, foreign.Name)
		Expect(stage.History).To(judge.OwnersKept(foreign.UID))
		Expect(stage.History).To(judge.Undisturbed(foreign))
	})

	It("does not fight with another DaemonSet over Pods that both selectors match", requirement.Checks("COV-37"), func(ctx SpecContext) {
		stage := cluster.Open(ctx)
		first := stage.CreateDaemonSet(ctx, sharing("first"))
		second := stage.CreateDaemonSet(ctx, sharing("second"))
		nodes := stage.Targets(first, 1)
		for _, daemonSet := range []*appsv1.DaemonSet{first, second} {
			awaitPlaced(ctx, stage, daemonSet, nodes)
		}

		for _, daemonSet := range []*appsv1.DaemonSet{first, second} {
			stage.LookAgain(ctx, daemonSet.Name)
		}

		stage.Hold(ctx, quiet, "each DaemonSet keeps its own Pods")
		stage.CatchUp(ctx, history.Pod)
		for _, daemonSet := range []*appsv1.DaemonSet{first, second} {
			Expect(stage.History).To(judge.PodOnEach(daemonSet.UID, nodes))
			Expect(stage.History).To(judge.NoneLeavesBut(daemonSet.UID))
		}
		Expect(stage.History).To(judge.OwnersKept())
		scene.Saw("two DaemonSets with one selector kept %d Pods each for %s", nodes.Len(), quiet)
	})
}

func labelled(name string, labels map[string]string) *corev1.Pod {
	pod := fixtures.Pod(name, fixtures.Unscheduled)
	pod.Labels = labels
	return pod
}

// ownedBy gives a Pod a controller that no controller program acts for.
func ownedBy(account *corev1.ServiceAccount, pod *corev1.Pod) *corev1.Pod {
	pod.OwnerReferences = []metav1.OwnerReference{{
		APIVersion: "v1", Kind: "ServiceAccount", Name: account.Name, UID: account.UID, Controller: ptr.To(true),
	}}
	return pod
}

func account(ctx SpecContext, stage *scene.Scene) *corev1.ServiceAccount {
	account, err := stage.Client.CoreV1().ServiceAccounts(stage.Namespace).Get(ctx, "default", metav1.GetOptions{})
	scene.Must(err)
	return account
}

// sharing is a DaemonSet whose selector also matches the Pods of every other.
func sharing(name string) *appsv1.DaemonSet {
	daemonSet := fixtures.DaemonSet(name, fixtures.Unscheduled)
	shared := map[string]string{"rollcall.dev/shared": "true"}
	daemonSet.Spec.Selector.MatchLabels, daemonSet.Spec.Template.Labels = shared, shared
	return daemonSet
}
