package scene

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/onsi/ginkgo/v2"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
)

// Desk is where specs of level api work: a namespace in which nothing is ever
// stored but which server-side dry runs can name. All such specs of a process
// share it.
type Desk struct {
	*Cluster
	Namespace string
}

var dryRun = metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}}

// Desk returns the process's desk, which it makes on first use.
func (c *Cluster) Desk(ctx context.Context) *Desk {
	ginkgo.GinkgoHelper()
	if c.desk == nil {
		name, err := c.createNamespace(ctx, ginkgo.CurrentSpecReport().FullText(), Restricted)
		c.desk = &Desk{Cluster: c, Namespace: name}
		Must(err)
	}
	ginkgo.DeferCleanup(c.desk.testify)
	return c.desk
}

// Desk returns a desk in the scene's namespace.
func (s *Scene) Desk() *Desk {
	s.asks = true
	return &Desk{Cluster: s.Cluster, Namespace: s.Namespace}
}

// testify casts doubt on a failure where a LimitRange may have changed or refused
// what was asked about.
func (d *Desk) testify(ctx context.Context) {
	if ginkgo.CurrentSpecReport().Failed() {
		d.doubtForeignLimits(ctx, d.Namespace)
	}
}

// Close removes the desk, if there is one.
func (c *Cluster) Close(ctx context.Context) error {
	if c.desk == nil || c.desk.Namespace == "" {
		return nil
	}
	return c.deleteNamespace(ctx, c.desk.Namespace)
}

// Pod returns the Pod as the API server would store it, or its refusal.
func (d *Desk) Pod(ctx context.Context, pod *corev1.Pod) (*corev1.Pod, error) {
	d.outfit(&pod.Spec)
	return d.Client.CoreV1().Pods(d.Namespace).Create(ctx, pod, dryRun)
}

// Reworded is Pod for one whose JSON says something else in one place. Typed objects
// have one way only to write a quantity.
func (d *Desk) Reworded(ctx context.Context, pod *corev1.Pod, old, now string) (*corev1.Pod, error) {
	ginkgo.GinkgoHelper()
	d.outfit(&pod.Spec)
	pod.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}
	text, err := json.Marshal(pod)
	Must(err)
	if strings.Count(string(text), old) != 1 {
		ginkgo.Fail("rollcall itself failed: " + old + " is not in the Pod once")
	}
	stored := &corev1.Pod{}
	err = d.Client.CoreV1().RESTClient().Post().Namespace(d.Namespace).Resource("pods").VersionedParams(&dryRun, scheme.ParameterCodec).
		SetHeader("Content-Type", "application/json").Body([]byte(strings.Replace(string(text), old, now, 1))).Do(ctx).Into(stored)
	return stored, err
}

// DaemonSet returns the DaemonSet as the API server would store it, or its
// refusal.
func (d *Desk) DaemonSet(ctx context.Context, daemonSet *appsv1.DaemonSet) (*appsv1.DaemonSet, error) {
	d.outfit(&daemonSet.Spec.Template.Spec)
	return d.Client.AppsV1().DaemonSets(d.Namespace).Create(ctx, daemonSet, dryRun)
}
