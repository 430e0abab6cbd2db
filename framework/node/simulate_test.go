package node

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"rollcall.dev/rollcall/framework/cluster"
	"rollcall.dev/rollcall/framework/judge"
)

func TestASimulatedNodeAndItsPodsGoWithItsRecord(t *testing.T) {
	hand, client := handOn(worker("w1"), placed("app", "stays", "w1"))
	made, err := hand.Simulate(t.Context(), Labelled(map[string]string{"pool": "x"}))
	if err != nil {
		t.Fatal(err)
	}
	node := getNode(t, hand, made.Node.Name)
	if !judge.NodeReady(node) || node.Labels["pool"] != "x" || node.Labels[corev1.LabelOSStable] != "" {
		t.Errorf("node %v %v", node.Labels, node.Status.Conditions)
	}
	if cluster.Excluded(node) == "" {
		t.Error("a simulated node would be on the next run's roster")
	}
	// As after a SIGKILL: nobody tidied up, and only the journal is left.
	made.Silence()
	if _, err := client.CoreV1().Pods("app").Create(t.Context(), placed("app", "goes", node.Name), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := Undo(t.Context(), client, home, ""); err != nil {
		t.Fatal(err)
	}
	_, err = client.CoreV1().Nodes().Get(t.Context(), node.Name, metav1.GetOptions{})
	if !apierrors.IsNotFound(err) {
		t.Errorf("the node is still there: %v", err)
	}
	pods, _ := client.CoreV1().Pods("").List(t.Context(), metav1.ListOptions{})
	if len(pods.Items) != 1 || pods.Items[0].Name != "stays" {
		t.Errorf("Pods left: %v", pods.Items)
	}
	if left := records(t, hand); len(left) > 0 {
		t.Errorf("records left: %v", left)
	}
}

func TestARealNodeIsNeverRemoved(t *testing.T) {
	hand, _ := handOn(worker("w1"))
	record := Record{Node: "w1", Change: Change{Kind: OfObject}}
	if _, err := record.Undo(t.Context(), hand.Client); err == nil {
		t.Error("a node that is not rollcall's was removed")
	}
	getNode(t, hand, "w1")
}

func TestTheKubeletRunsPodsAndEndsThem(t *testing.T) {
	pod := placed("app", "pod", "sim")
	pod.Status.Phase = corev1.PodPending
	pod.Spec.Containers = []corev1.Container{{Name: "app"}}
	hand, client := handOn(pod)
	kubelet{client, "sim"}.begin(t.Context())
	within(t, "the Pod is Running", func() bool {
		got, err := client.CoreV1().Pods("app").Get(t.Context(), "pod", metav1.GetOptions{})
		return err == nil && got.Status.Phase == corev1.PodRunning && len(got.Status.ContainerStatuses) == 1
	})
	now := metav1.Now()
	pod, _ = client.CoreV1().Pods("app").Get(t.Context(), "pod", metav1.GetOptions{})
	pod.DeletionTimestamp, pod.Finalizers = &now, []string{"test/held"}
	_, _ = hand.Client.CoreV1().Pods("app").Update(t.Context(), pod, metav1.UpdateOptions{})
	within(t, "the Pod is gone", func() bool {
		_, err := client.CoreV1().Pods("app").Get(t.Context(), "pod", metav1.GetOptions{})
		return apierrors.IsNotFound(err)
	})
}

func within(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for range 200 {
		if holds() {
			return
		}
		time.Sleep(25 * time.Millisecond)
	}
	t.Error("never seen: " + what)
}

func TestASimulatedNodeLeavesAndComesBack(t *testing.T) {
	hand, client := handOn()
	made, err := hand.Simulate(t.Context(), Joining)
	if err != nil {
		t.Fatal(err)
	}
	if judge.NodeReady(getNode(t, hand, made.Node.Name)) {
		t.Error("a node that is joining is Ready")
	}
	if err := made.Leave(t.Context()); err != nil {
		t.Fatal(err)
	}
	if nodes, _ := client.CoreV1().Nodes().List(t.Context(), metav1.ListOptions{}); len(nodes.Items) > 0 {
		t.Errorf("nodes left: %v", nodes.Items)
	}
	if len(records(t, hand)) != 1 {
		t.Error("a node that may come back has lost its record")
	}
	if err := made.Rejoin(t.Context()); err != nil {
		t.Fatal(err)
	}
	getNode(t, hand, made.Node.Name)
	if err := made.Dissolve(t.Context()); err != nil {
		t.Fatal(err)
	}
	if leases, _ := client.CoordinationV1().Leases(corev1.NamespaceNodeLease).List(t.Context(), metav1.ListOptions{}); len(leases.Items) > 0 {
		t.Errorf("leases left: %v", leases.Items)
	}
}

func TestAWokenNodeReportsItsPodsAnew(t *testing.T) {
	hand, client := handOn()
	made, err := hand.Simulate(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	made.Silence()
	pod := placed("app", "pod", made.Node.Name)
	pod.Status = corev1.PodStatus{Phase: corev1.PodRunning, Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionFalse}}}
	if _, err := client.CoreV1().Pods("app").Create(t.Context(), pod, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := made.Wake(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer made.Silence()
	within(t, "the Pod is Ready", func() bool { return readyPod(t, client) })
}

func readyPod(t *testing.T, client kubernetes.Interface) bool {
	got, err := client.CoreV1().Pods("app").Get(t.Context(), "pod", metav1.GetOptions{})
	return err == nil && judge.Ready(got)
}

// The node controller calls Pods not Ready by a view of their node that may be out
// of date; a kubelet does not leave it at that.
func TestAReadyNodeInsistsThatItsPodsAre(t *testing.T) {
	for _, ready := range []corev1.ConditionStatus{corev1.ConditionTrue, corev1.ConditionFalse} {
		hand, client := handOn()
		made, err := hand.Simulate(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer made.Silence()
		pods := client.CoreV1().Pods("app")
		pod := placed("app", "pod", made.Node.Name)
		pod.Status.Phase = corev1.PodPending
		pod, err = pods.Create(t.Context(), pod, metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		within(t, "the Pod is Ready", func() bool { return readyPod(t, client) })
		if err := made.PostReady(t.Context(), ready); err != nil {
			t.Fatal(err)
		}
		pod.Status = corev1.PodStatus{Phase: corev1.PodRunning, Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionFalse}}}
		if _, err := pods.UpdateStatus(t.Context(), pod, metav1.UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
		if ready == corev1.ConditionTrue {
			within(t, "the Pod is Ready again", func() bool { return readyPod(t, client) })
			continue
		}
		time.Sleep(200 * time.Millisecond)
		if readyPod(t, client) {
			t.Error("a node that is not Ready calls its Pod so")
		}
	}
}
