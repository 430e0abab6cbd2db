package node

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	utilrand "k8s.io/apimachinery/pkg/util/rand"
	"k8s.io/client-go/kubernetes"

	"rollcall.dev/rollcall/framework/cluster"
)

// recordKey is where a ConfigMap of the journal holds its record.
const recordKey = "record.json"

// Record is one change of one node, as the journal keeps it: a ConfigMap of its
// own, so that processes of a run never write to the same one.
type Record struct {
	Node string    `json:"node"`
	UID  types.UID `json:"uid,omitempty"`
	// Change is what was wanted, and Before what was there.
	Change Change  `json:"change"`
	Before *string `json:"before"`
	Run    string  `json:"run"`
	// At orders the records of a node: the last change is undone first.
	At time.Time `json:"at"`

	namespace, name string
}

// String tells the record in a line.
func (r Record) String() string {
	switch r.Change.Kind {
	case OfObject:
		return "the simulated node " + r.Node
	case OfKubelet:
		return fmt.Sprintf("the kubelet of node %s, stopped until %s", r.Node, show(r.Change.Value))
	case OfIdentity:
		return "the Node object of " + r.Node
	}
	return fmt.Sprintf("%s of node %s from %s to %s", r.Change, r.Node, show(r.Before), show(r.Change.Value))
}

// write stores the record. When it returns, the API server has it.
func (h Hand) write(ctx context.Context, record Record) (Record, error) {
	record.Run, record.At = h.Run, time.Now().UTC()
	record.namespace, record.name = h.Namespace, "node-journal-"+utilrand.String(10)
	data, err := json.Marshal(record)
	if err != nil {
		return record, err
	}
	_, err = h.Client.CoreV1().ConfigMaps(h.Namespace).Create(ctx, &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: record.name, Labels: h.labels(journalLabel)},
		Data:       map[string]string{recordKey: string(data)},
	}, metav1.CreateOptions{})
	if err != nil {
		return record, fmt.Errorf("node %s is left alone, since the journal cannot be written: %w", record.Node, err)
	}
	return record, nil
}

// strike removes a record whose change is undone.
func strike(ctx context.Context, client kubernetes.Interface, record Record) error {
	err := client.CoreV1().ConfigMaps(record.namespace).Delete(ctx, record.name, metav1.DeleteOptions{})
	if err != nil && !apierrors.IsNotFound(err) {
		return fmt.Errorf("%s is undone, and its record %s/%s stays: %w", record, record.namespace, record.name, err)
	}
	return nil
}

// Records reads the journal, the newest record first. An empty namespace means
// every namespace that the caller may look into; an empty run every run. A
// record that cannot be read is an error beside the others.
func Records(ctx context.Context, client kubernetes.Interface, namespace, run string) ([]Record, error) {
	selector := journalLabel + "," + cluster.ManagedByLabel + "=" + cluster.ManagedBy
	if run != "" {
		selector += "," + journalLabel + "=" + run
	}
	kept, err := client.CoreV1().ConfigMaps(namespace).List(ctx, metav1.ListOptions{LabelSelector: selector})
	if err != nil {
		return nil, fmt.Errorf("the journal of changes to nodes cannot be read: %w", err)
	}
	var (
		records []Record
		faults  []error
	)
	for _, item := range kept.Items {
		record := Record{}
		if err := json.Unmarshal([]byte(item.Data[recordKey]), &record); err != nil {
			faults = append(faults, fmt.Errorf("the journal's record %s/%s cannot be read: %w", item.Namespace, item.Name, err))
			continue
		}
		record.namespace, record.name = item.Namespace, item.Name
		records = append(records, record)
	}
	slices.SortFunc(records, func(a, b Record) int {
		return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.name, b.name))
	})
	return records, errors.Join(faults...)
}
