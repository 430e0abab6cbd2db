package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
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

// recovery is how long a node may take to be Ready once its kubelet has started
// again: the kubelet posts its status within seconds, or after a sync of 60 s.
const recovery = 90 * time.Second

// kubeletAway is the change of a kubelet that is stopped until an instant.
func kubeletAway(until time.Time) Change {
	return Change{OfKubelet, "", ptr.To(until.UTC().Format(time.RFC3339))}
}

// StopKubelet returns a shell command, to be run on a node, that stops its kubelet
// for so long. The start is in the hands of the node's systemd before the stop
// is, so that the kubelet comes back whatever becomes of the caller. The stop
// follows some seconds later, for the kubelet to tell how the command ended. The
// unit is a name for the two timers.
func StopKubelet(unit string, away time.Duration) string {
	const notice = 5 * time.Second
	timer := func(verb string, after time.Duration) string {
		return fmt.Sprintf("systemd-run --quiet --unit=%s-%s --on-active=%ds --timer-property=AccuracySec=100ms systemctl %s kubelet",
			unit, verb, int(after.Seconds()), verb)
	}
	return "systemctl is-active --quiet kubelet && " + timer("start", notice+away) + " && " + timer("stop", notice)
}

// ForeseeOutage writes into the journal that the kubelet of a node is about to be
// stopped for so long.
func (h Hand) ForeseeOutage(ctx context.Context, name string, uid types.UID, away time.Duration) (Record, error) {
	return h.Foresee(ctx, name, uid, kubeletAway(time.Now().Add(away)))
}

// awaitKubelet waits until the node of a record is Ready again, which is when the
// kubelet's own timer has started it.
func awaitKubelet(ctx context.Context, client kubernetes.Interface, record Record) (Outcome, error) {
	until, err := time.Parse(time.RFC3339, ptr.Deref(record.Change.Value, ""))
	if err != nil {
		return Outcome{}, err
	}
	ctx, cancel := context.WithDeadline(ctx, latest(until, time.Now()).Add(recovery))
	defer cancel()
	err = await.Until(ctx, client, client.CoreV1().Nodes(), await.Named(record.Node), func(_ watch.EventType, node *corev1.Node) (bool, error) {
		return judge.NodeReady(node) && (time.Now().After(until) || record.renewedAfterStop(node)), nil
	})
	if err != nil {
		return Outcome{}, fmt.Errorf("node %s is not Ready although its kubelet should run again since %s; look there with 'systemctl status kubelet': %w",
			record.Node, until.Format(time.TimeOnly), err)
	}
	return Outcome{Text: fmt.Sprintf("the kubelet of node %s is back", record.Node)}, nil
}

// renewedAfterStop reports whether the node has become Ready since the record was
// made: its kubelet was away and is back already.
func (r Record) renewedAfterStop(node *corev1.Node) bool {
	for _, condition := range node.Status.Conditions {
		if condition.Type == corev1.NodeReady {
			return condition.LastTransitionTime.After(r.At)
		}
	}
	return false
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
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
		patch, err := json.Marshal(versioned(map[string]any{"metadata": map[string]any{
			"labels": missing(node.Labels, wanted.Labels), "annotations": missing(node.Annotations, wanted.Annotations),
		}}, node))
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

// restoreIdentity sees to it that the node of a record is there and Ready.
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
	err = await.Until(ctx, client, client.CoreV1().Nodes(), await.Named(record.Node), func(_ watch.EventType, node *corev1.Node) (bool, error) {
		return judge.NodeReady(node), nil
	})
	return Outcome{Text: fmt.Sprintf("node %s is there and Ready, with the labels, annotations and taints that it had", record.Node)}, err
}
