package coverage

import (
	. "github.com/onsi/ginkgo/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

func refusedPods(cluster *scene.Cluster) {
	It("is accepted although its Pods are refused, says so in an Event, and recovers by itself", requirement.Checks("COV-30"), func(ctx SpecContext) {
		stage := cluster.Open(ctx)
		quotas := cluster.Client.CoreV1().ResourceQuotas(stage.Namespace)
		_, err := quotas.Create(ctx, noPods(), metav1.CreateOptions{})
		scene.Must(err)
		stage.AwaitQuota(ctx, fixtures.Pod("refused", fixtures.Unscheduled))

		agent := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("agent", fixtures.Unscheduled))
		nodes := stage.Targets(agent, 1)
		state := stage.Await(ctx, limit.Status, judge.Unplaced(agent.Name, nodes).And(judge.Told(agent.UID, "FailedCreate")))
		scene.Saw("under a quota of no Pods the status says: %s", judge.DescribeStatus(state.DaemonSet(agent.Name).Status))
		stage.History.Mark("delete the ResourceQuota")
		scene.Must(quotas.Delete(ctx, noPods().Name, metav1.DeleteOptions{}))

		stage.Await(ctx, limit.Retry, judge.PodOnEach(agent.UID, nodes).And(judge.Scheduled(agent.Name, nodes)))
	})
}

// noPods is a quota that refuses every Pod of a namespace.
func noPods() *corev1.ResourceQuota {
	return &corev1.ResourceQuota{
		ObjectMeta: metav1.ObjectMeta{Name: "no-pods"},
		Spec:       corev1.ResourceQuotaSpec{Hard: corev1.ResourceList{corev1.ResourcePods: resource.MustParse("0")}},
	}
}
