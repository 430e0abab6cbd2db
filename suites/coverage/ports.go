package coverage

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

func ports(cluster *scene.Cluster) {
	It("waits for a port of the node that another Pod holds, and still counts the node", requirement.Checks("COV-26"), func(ctx SpecContext) {
		stage := cluster.OpenPrivileged(ctx)
		node := stage.Pick(1, 1)[0]
		free := freePorts(ctx, stage, node)
		holder := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("holder", on(stage, node), hostPort(free[0])))
		stage.Await(ctx, limit.Placement, judge.EachPod(holder.UID, "is bound", unbound))

		rival := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("rival", on(stage, node), hostPort(free[0])))
		// The contrast: a Pod that asks for another port gets the node.
		neighbour := stage.CreateDaemonSet(ctx, fixtures.DaemonSet("neighbour", on(stage, node), hostPort(free[1])))

		stage.Await(ctx, limit.Placement, judge.EachPod(neighbour.UID, "is bound", unbound))
		state := stage.Await(ctx, limit.Status, judge.EachPod(rival.UID, "is found not to fit", fitting).
			And(judge.Unready(rival.Name, stage.Targets(rival, 1))))
		stage.CatchUp(ctx, history.Pod)
		scene.Saw("on node %s port %d is held; the status of who waits for it says: %s", node, free[0],
			judge.DescribeStatus(state.DaemonSet(rival.Name).Status))
		Expect(stage.History).To(judge.EveryPod(rival.UID, "stays unbound", judge.Bound))
	})
}

// hostPort makes a Pod's first container ask for a port of its node.
func hostPort(port int32) fixtures.PodOption {
	return func(t *corev1.PodTemplateSpec) {
		t.Spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 8080, HostPort: port}}
	}
}

// freePorts returns two ports of a node that no Pod on it asks for. The search
// begins above the range from which systems hand out ports by themselves.
func freePorts(ctx SpecContext, stage *scene.Scene, node string) []int32 {
	pods, err := stage.Client.CoreV1().Pods(metav1.NamespaceAll).List(ctx, metav1.ListOptions{
		FieldSelector: fields.OneTermEqualSelector("spec.nodeName", node).String(),
	})
	scene.Must(err)
	taken := map[int32]bool{}
	for _, pod := range pods.Items {
		for _, container := range append(pod.Spec.InitContainers, pod.Spec.Containers...) {
			for _, port := range container.Ports {
				taken[port.HostPort] = true
			}
		}
	}
	var free []int32
	for port := int32(61000); len(free) < 2; port++ {
		if !taken[port] {
			free = append(free, port)
		}
	}
	return free
}

// unbound finds that a Pod is not bound to a node yet.
func unbound(pod *corev1.Pod) string {
	if judge.Bound(pod) != "" {
		return ""
	}
	return "is " + judge.DescribePod(pod)
}
