package node

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/util/retry"
	"k8s.io/utils/ptr"
)

// concurrent is how often a patch is tried against other writers of a node:
// the kubelet and the control plane write to one every few seconds.
var concurrent = wait.Backoff{Steps: 10, Duration: 20 * time.Millisecond, Factor: 1.5, Jitter: 0.2}

// Set makes a change to a node, the machine with just this UID, and returns the
// journal's record of it. A node that is no longer that machine is an error.
func (h Hand) Set(ctx context.Context, name string, uid types.UID, change Change) (Record, error) {
	record, err := h.Foresee(ctx, name, uid, change)
	if err != nil {
		return record, err
	}
	return record, apply(ctx, h.Client, record, func(*corev1.Node) (Change, bool) { return change, true })
}

// Foresee writes a change into the journal that somebody else is about to make,
// such as kubectl.
func (h Hand) Foresee(ctx context.Context, name string, uid types.UID, change Change) (Record, error) {
	record := Record{Node: name, UID: uid, Change: change}
	node, err := h.Client.CoreV1().Nodes().Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return record, err
	}
	if node.UID != uid {
		return record, fmt.Errorf("node %s is another machine by now, with UID %s instead of %s", name, node.UID, uid)
	}
	record.Before = change.valueOn(node)
	return h.write(ctx, record)
}

// apply patches the node of a record as decide says of its newest version. The
// patch names that version, so that it never overwrites a concurrent writer: it
// is refused, and decide is asked again. A node that is gone or another machine
// is left alone.
func apply(ctx context.Context, client kubernetes.Interface, record Record, decide func(*corev1.Node) (Change, bool)) error {
	nodes := client.CoreV1().Nodes()
	return retry.RetryOnConflict(concurrent, func() error {
		node, err := nodes.Get(ctx, record.Node, metav1.GetOptions{})
		if err != nil {
			return err
		}
		if node.UID != record.UID {
			return apierrors.NewNotFound(corev1.Resource("nodes"), record.Node)
		}
		change, wanted := decide(node)
		if !wanted || ptr.Equal(change.valueOn(node), change.Value) {
			return nil
		}
		patch, err := json.Marshal(versioned(change.patch(node), node))
		if err != nil {
			return err
		}
		_, err = nodes.Patch(ctx, node.Name, types.MergePatchType, patch, metav1.PatchOptions{FieldManager: "rollcall"})
		return err
	})
}

// versioned ties a patch to one version of one machine.
func versioned(patch map[string]any, node *corev1.Node) map[string]any {
	metadata := map[string]any{"resourceVersion": node.ResourceVersion, "uid": node.UID}
	if own, ok := patch["metadata"].(map[string]any); ok {
		maps.Copy(metadata, own)
	}
	patch["metadata"] = metadata
	return patch
}
