package report

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/util/retry"
)

// The keys of a ConfigMap that holds a report. The report itself is binary; the
// others are for a reader with kubectl.
const (
	ReportKey     = "report.json.gz"
	ConclusionKey = "conclusion"
	SummaryKey    = "summary"
	// TrimmedKey names what was left out to make the report fit; it is missing
	// where nothing was.
	TrimmedKey = "trimmed"
)

// ConfigMap keeps the report in the cluster, where it is found when the Pod is
// gone. It needs the verbs get, create and update.
type ConfigMap struct {
	// Client is that of the namespace to write to.
	Client corev1client.ConfigMapInterface
	// Name is the ConfigMap's.
	Name string
	// Labels are put on it, such as the run's ID.
	Labels map[string]string
}

// Save creates or updates the ConfigMap. It replaces the report and leaves
// alone what others put beside it.
func (c ConfigMap) Save(ctx context.Context, r *ConformanceReport) error {
	packed, err := squeeze(r, maxPacked)
	if err != nil {
		return err
	}
	err = retry.RetryOnConflict(retry.DefaultRetry, func() error { return c.put(ctx, r, packed) })
	if err != nil {
		return fmt.Errorf("cannot keep the report in ConfigMap %s: %w", c.Name, err)
	}
	return nil
}

// Finish is Save: a ConfigMap holds one form only.
func (c ConfigMap) Finish(ctx context.Context, r *ConformanceReport) error { return c.Save(ctx, r) }

func (c ConfigMap) put(ctx context.Context, r *ConformanceReport, packed squeezed) error {
	found, err := c.Client.Get(ctx, c.Name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		fresh := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: c.Name}}
		c.fill(fresh, r, packed)
		_, err = c.Client.Create(ctx, fresh, metav1.CreateOptions{})
		return err
	}
	if err != nil {
		return err
	}
	c.fill(found, r, packed)
	_, err = c.Client.Update(ctx, found, metav1.UpdateOptions{})
	return err
}

func (c ConfigMap) fill(into *corev1.ConfigMap, r *ConformanceReport, packed squeezed) {
	set(&into.BinaryData, ReportKey, packed.data)
	set(&into.Data, ConclusionKey, string(r.Conclusion))
	set(&into.Data, SummaryKey, r.Line())
	delete(into.Data, TrimmedKey)
	if packed.trimmed != "" {
		into.Data[TrimmedKey] = packed.trimmed
	}
	for name, value := range c.Labels {
		set(&into.Labels, name, value)
	}
}

func set[V any](values *map[string]V, key string, value V) {
	if *values == nil {
		*values = map[string]V{}
	}
	(*values)[key] = value
}

// FromConfigMap returns the report that a ConfigMap holds. Its error says in one
// line why there is none.
func FromConfigMap(from *corev1.ConfigMap) (*ConformanceReport, error) {
	data, ok := from.BinaryData[ReportKey]
	if !ok {
		return nil, fmt.Errorf("ConfigMap %s holds no report: the key %s is missing", from.Name, ReportKey)
	}
	r, err := unpack(data)
	if err != nil {
		return nil, fmt.Errorf("ConfigMap %s: %w", from.Name, err)
	}
	return r, nil
}
