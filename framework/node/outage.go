package node

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
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
	return kubeletRuns + " && " + kubeletTimer(unit, "start", notice+away) + " && " + kubeletTimer(unit, "stop", notice)
}

// kubeletRuns is a shell command that fails on a node whose kubelet is no unit of
// systemd's, or does not run.
const kubeletRuns = "systemctl is-active --quiet kubelet"

// kubeletTimer returns a shell command by which the node's systemd starts, stops or
// restarts its kubelet some time later, just then: left to itself, it is up to a
// minute late.
func kubeletTimer(unit, verb string, after time.Duration) string {
	return fmt.Sprintf("systemd-run --quiet --unit=%s-%s --on-active=%ds --timer-property=AccuracySec=100ms systemctl %s kubelet",
		unit, verb, int(after.Seconds()), verb)
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
	// A node that is Ready may still have its stop before it, until it had to be back.
	// Then it is asked anew: a node that stayed Ready posts nothing for minutes.
	early, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	err = awaitNode(early, client, record.Node, record.renewedAfterStop)
	if err != nil {
		late, cancel := context.WithDeadline(ctx, latest(until, time.Now()).Add(recovery))
		defer cancel()
		err = awaitNode(late, client, record.Node, judge.NodeReady)
	}
	if err != nil {
		return Outcome{}, fmt.Errorf("node %s is not Ready although its kubelet should run again since %s; look there with 'systemctl status kubelet': %w",
			record.Node, until.Format(time.TimeOnly), err)
	}
	return Outcome{Text: fmt.Sprintf("the kubelet of node %s is back", record.Node)}, nil
}

// awaitNode waits until a node is as it should be.
func awaitNode(ctx context.Context, client kubernetes.Interface, name string, as func(*corev1.Node) bool) error {
	return await.Until(ctx, client, client.CoreV1().Nodes(), await.Named(name), func(_ watch.EventType, node *corev1.Node) (bool, error) {
		return as(node), nil
	})
}

// renewedAfterStop reports whether the node has become Ready since the record was
// made: its kubelet was away and is back already.
func (r Record) renewedAfterStop(node *corev1.Node) bool {
	return judge.NodeReady(node) && judge.NodeCondition(node, corev1.NodeReady).LastTransitionTime.After(r.At)
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
