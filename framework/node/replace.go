package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/util/retry"
	"k8s.io/utils/ptr"

	"rollcall.dev/rollcall/framework/await"
	"rollcall.dev/rollcall/framework/judge"
)

// untilRestart is how long after RestartKubelet its kubelet restarts: by then the
// Node object has long been deleted and created again.
const untilRestart = 30 * time.Second

// RestartKubelet returns a shell command, to be run on a node before Replace, by
// which the node's systemd restarts its kubelet some time later. Only a kubelet that
// starts registers its node, should nobody else make it again, and writes what
// belongs to the Node object and is collected with it: its CSINode.
func RestartKubelet(unit string) string {
	return kubeletRuns + " && " + kubeletTimer(unit, "restart", untilRestart)
}

// Replace deletes the Node object of a machine and creates it again as it was, so
// that the machine goes on under another UID. What it was is in the journal
// before.
func (h Hand) Replace(ctx context.Context, name string, uid types.UID) (Record, error) {
	nodes := h.Client.CoreV1().Nodes()
	old, err := nodes.Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return Record{}, err
	}
	record, err := h.foreseeReplacement(ctx, old)
	if err != nil {
		return record, err
	}
	if err := nodes.Delete(ctx, name, metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &uid}}); err != nil {
		return record, err
	}
	err = await.Gone[corev1.Node](ctx, h.Client, nodes, await.Named(name))
	if err != nil {
		return record, err
	}
	return record, recreate(ctx, h.Client, record)
}

// foreseeReplacement writes into the journal what a node must be again.
func (h Hand) foreseeReplacement(ctx context.Context, node *corev1.Node) (Record, error) {
	template, err := json.Marshal(template(node))
	if err != nil {
		return Record{}, err
	}
	return h.write(ctx, Record{Node: node.Name, UID: node.UID, Change: Change{Kind: OfIdentity}, Before: ptr.To(string(template))})
}

// template is what a person or a cloud decided about a node, and the addresses
// that it gives to its Pods. Its status is for the kubelet to tell.
func template(node *corev1.Node) *corev1.Node {
	spec := *node.Spec.DeepCopy()
	spec.Taints = nil
	for _, taint := range node.Spec.Taints {
		if !derived[taint.Key] {
			spec.Taints = append(spec.Taints, taint)
		}
	}
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: node.Name, Labels: node.Labels, Annotations: node.Annotations, Finalizers: node.Finalizers},
		Spec:       spec,
	}
}

// recreate creates the node of a record again, unless there is one of its name:
// its kubelet may have been quicker.
func recreate(ctx context.Context, client kubernetes.Interface, record Record) error {
	wanted := &corev1.Node{}
	if err := json.Unmarshal([]byte(ptr.Deref(record.Before, "")), wanted); err != nil {
		return err
	}
	nodes := client.CoreV1().Nodes()
	_, err := nodes.Create(ctx, wanted, metav1.CreateOptions{})
	if !apierrors.IsAlreadyExists(err) {
		return err
	}
	return addMissing(ctx, client, wanted)
}

// addMissing gives a node that has registered itself anew what others had added
// to it, and leaves alone what somebody has set since.
func addMissing(ctx context.Context, client kubernetes.Interface, wanted *corev1.Node) error {
	return retry.RetryOnConflict(concurrent, func() error {
		node, err := client.CoreV1().Nodes().Get(ctx, wanted.Name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		patch, err := json.Marshal(versioned(map[string]any{
			"metadata": map[string]any{
				"labels": missing(node.Labels, wanted.Labels), "annotations": missing(node.Annotations, wanted.Annotations),
			},
			"spec": map[string]any{"taints": withMissing(node.Spec.Taints, wanted.Spec.Taints)},
		}, node))
		if err != nil {
			return err
		}
		_, err = client.CoreV1().Nodes().Patch(ctx, node.Name, types.MergePatchType, patch, metav1.PatchOptions{FieldManager: "rollcall"})
		return err
	})
}

// missing returns what is wanted and not there under any value.
func missing(have, want map[string]string) map[string]string {
	lacks := map[string]string{}
	for key, value := range want {
		if _, ok := have[key]; !ok {
			lacks[key] = value
		}
	}
	return lacks
}

// withMissing returns the taints that a node has and those that it lacks under any
// value.
func withMissing(have, want []corev1.Taint) []corev1.Taint {
	all := append([]corev1.Taint{}, have...)
	for _, taint := range want {
		if !slices.ContainsFunc(have, func(h corev1.Taint) bool { return h.MatchTaint(&taint) }) {
			all = append(all, taint)
		}
	}
	return all
}

// restoreIdentity sees to it that the node of a record is there and Ready, and what
// belongs to it too.
func restoreIdentity(ctx context.Context, client kubernetes.Interface, record Record) (Outcome, error) {
	node, err := client.CoreV1().Nodes().Get(ctx, record.Node, metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err), err == nil && node.UID != record.UID:
		err = recreate(ctx, client, record)
	case err == nil && node.DeletionTimestamp != nil:
		err = errors.New("its deletion has not ended")
	}
	if err != nil {
		return Outcome{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, recovery)
	defer cancel()
	if err := awaitNode(ctx, client, record.Node, judge.NodeReady); err != nil {
		return Outcome{}, err
	}
	if err := awaitCSINode(ctx, client, record.Node); err != nil {
		return Outcome{}, fmt.Errorf("node %s has no CSINode of its own; restart its kubelet there with 'systemctl restart kubelet': %w", record.Node, err)
	}
	return Outcome{Text: fmt.Sprintf("node %s is there and Ready, with the labels, annotations and taints that it had", record.Node)}, nil
}

// awaitCSINode waits until a node has a CSINode that is owned by the Node object of
// today, and its kubelet, which has just written that, has been heard.
func awaitCSINode(ctx context.Context, client kubernetes.Interface, name string) error {
	node, err := client.CoreV1().Nodes().Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	var written time.Time
	err = await.Until(ctx, client, client.StorageV1().CSINodes(), await.Named(name), func(_ watch.EventType, own *storagev1.CSINode) (bool, error) {
		written = own.CreationTimestamp.Time
		return ownedBy(own, node.UID), nil
	})
	if err != nil {
		return err
	}
	awaitHeard(ctx, client, name, written)
	return nil
}

func ownedBy(object metav1.Object, uid types.UID) bool {
	return slices.ContainsFunc(object.GetOwnerReferences(), func(r metav1.OwnerReference) bool { return r.UID == uid })
}

// awaitHeard waits a while until a node has posted that it is Ready since its
// kubelet started: it may say first that it is not. Its clock may be another one.
func awaitHeard(ctx context.Context, client kubernetes.Interface, name string, since time.Time) {
	ctx, cancel := context.WithTimeout(ctx, followUp)
	defer cancel()
	_ = awaitNode(ctx, client, name, func(node *corev1.Node) bool { return judge.NodeReadySince(node, since) })
}
