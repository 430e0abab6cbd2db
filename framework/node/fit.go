package node

import (
	"context"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/kubernetes"

	"rollcall.dev/rollcall/framework/cluster"
	"rollcall.dev/rollcall/framework/judge"
)

// controlPlaneTaint is on every control-plane node; one that is lent is lent
// with it.
const controlPlaneTaint = "node-role.kubernetes.io/control-plane"

// Unfit returns why a lent node must not be disturbed as it is, and nothing if
// it may be: what an administrator did to it must neither be used nor undone.
func Unfit(node *corev1.Node) string {
	switch {
	case node.DeletionTimestamp != nil:
		return "it is being deleted"
	case node.Spec.Unschedulable:
		return "it is cordoned already, by somebody else"
	case !judge.NodeReady(node):
		return "it is not Ready"
	}
	for _, taint := range node.Spec.Taints {
		if taint.Key != controlPlaneTaint {
			return "it carries the taint " + taint.ToString() + " already"
		}
	}
	return ""
}

// Guests names the Pods on a node that a drain or a NoExecute taint would evict
// and that are not rollcall's, each as namespace/name. Mirror Pods stay, and finished
// Pods have nothing to lose. Pods of DaemonSets stay through a drain, and through a
// taint if they tolerate any.
func Guests(ctx context.Context, client kubernetes.Interface, node string) ([]string, error) {
	own, err := ownNamespaces(ctx, client)
	if err != nil {
		return nil, err
	}
	pods, err := client.CoreV1().Pods(metav1.NamespaceAll).List(ctx, metav1.ListOptions{FieldSelector: onNode(node)})
	if err != nil {
		return nil, fmt.Errorf("the Pods on node %s cannot be listed: %w", node, err)
	}
	var guests []string
	for _, pod := range pods.Items {
		if pod.Spec.NodeName == node && !own.Has(pod.Namespace) && evictable(&pod) {
			guests = append(guests, pod.Namespace+"/"+pod.Name)
		}
	}
	slices.Sort(guests)
	return guests, nil
}

func onNode(node string) string {
	return fields.OneTermEqualSelector("spec.nodeName", node).String()
}

func ownNamespaces(ctx context.Context, client kubernetes.Interface) (sets.Set[string], error) {
	namespaces, err := client.CoreV1().Namespaces().List(ctx, metav1.ListOptions{LabelSelector: cluster.RunLabel})
	if err != nil {
		return nil, fmt.Errorf("the namespaces of rollcall cannot be listed: %w", err)
	}
	own := sets.New[string]()
	for _, namespace := range namespaces.Items {
		own.Insert(namespace.Name)
	}
	return own, nil
}

func evictable(pod *corev1.Pod) bool {
	_, mirror := pod.Annotations[corev1.MirrorPodAnnotationKey]
	owner := metav1.GetControllerOf(pod)
	daemon := owner != nil && owner.Kind == "DaemonSet"
	finished := pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
	return !mirror && !finished && !(daemon && toleratesAny(pod))
}

// toleratesAny reports whether no NoExecute taint evicts a Pod, whatever its key.
func toleratesAny(pod *corev1.Pod) bool {
	return slices.ContainsFunc(pod.Spec.Tolerations, func(t corev1.Toleration) bool {
		return t.Key == "" && t.Operator == corev1.TolerationOpExists && t.TolerationSeconds == nil &&
			(t.Effect == "" || t.Effect == corev1.TaintEffectNoExecute)
	})
}

// Refusal returns why a lent node must not be disturbed, for what it is or for
// whom it carries, and nothing if it may be. evictOthers says that other
// people's Pods do not matter.
func Refusal(ctx context.Context, client kubernetes.Interface, node *corev1.Node, evictOthers bool) (string, error) {
	if why := Unfit(node); why != "" {
		return why, nil
	}
	return Burden(ctx, client, node.Name, evictOthers)
}

// Burden is Refusal for whom a node carries alone.
func Burden(ctx context.Context, client kubernetes.Interface, node string, evictOthers bool) (string, error) {
	if evictOthers {
		return "", nil
	}
	guests, err := Guests(ctx, client, node)
	if err != nil || len(guests) == 0 {
		return "", err
	}
	return "these Pods on it are not rollcall's and would be evicted: " + strings.Join(guests, ", ") + "; --evict-others allows that", nil
}
