package cluster

import (
	"context"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"rollcall.dev/rollcall/framework/await"
	"rollcall.dev/rollcall/framework/limit"
)

// The Pod Security Standards that a namespace can ask for.
const (
	enforceLabel = "pod-security.kubernetes.io/enforce"
	restricted   = "restricted"
	privileged   = "privileged"
)

// scratchPrefix starts the name of every namespace of a preflight.
const scratchPrefix = "rollcall-preflight-"

// scratch is a namespace for the length of a preflight.
type scratch struct {
	*Connection
	name string
	// refusal is why the namespace may not be a privileged one; empty if it is.
	refusal string
}

func scratchNamespace(runID, security string) *corev1.Namespace {
	labels := Labels(runID)
	labels[enforceLabel] = security
	return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{
		GenerateName: scratchPrefix,
		Labels:       labels,
		Annotations:  NoNodeSelector(),
	}}
}

// NoNodeSelector returns the annotations which say that the Pods of a namespace
// get no node selector from admission: one would keep DaemonSet Pods from the
// nodes that their controller chose.
func NoNodeSelector() map[string]string {
	return map[string]string{
		"scheduler.alpha.kubernetes.io/node-selector": "",
		"openshift.io/node-selector":                  "",
	}
}

// openScratch makes the namespace. A cluster that refuses the kind that every
// spec uses is an exit.EnvironmentError, and nothing was made.
func (c *Connection) openScratch(ctx context.Context, runID string) (*scratch, error) {
	dry := metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}}
	_, err := c.Client.CoreV1().Namespaces().Create(ctx, scratchNamespace(runID, restricted), dry)
	if err != nil && !noDryRun(err) {
		return nil, environment(err, "%s", refused(err, "a namespace"))
	}
	s := &scratch{Connection: c}
	namespace, err := c.Client.CoreV1().Namespaces().Create(ctx, scratchNamespace(runID, privileged), metav1.CreateOptions{})
	if err != nil {
		s.refusal = "the cluster refuses a privileged namespace: " + cause(err)
		namespace, err = c.Client.CoreV1().Namespaces().Create(ctx, scratchNamespace(runID, restricted), metav1.CreateOptions{})
	}
	if err != nil {
		return nil, environment(err, "%s", refused(err, "a namespace"))
	}
	s.name = namespace.Name
	return s, s.awaitServiceAccount(ctx)
}

// awaitServiceAccount waits for the default ServiceAccount, without which
// admission refuses every Pod.
func (s *scratch) awaitServiceAccount(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, limit.Namespace.For)
	defer cancel()
	err := await.Until(ctx, s.Client, s.Client.CoreV1().ServiceAccounts(s.name),
		await.Named("default"),
		func(event watch.EventType, _ *corev1.ServiceAccount) (bool, error) { return event == watch.Added, nil })
	if err != nil {
		return environment(err, "the new namespace %s got no default ServiceAccount; is kube-controller-manager running?", s.name)
	}
	return nil
}

// remove starts the removal of the namespace, also when the run is interrupted.
// A run waits for it at its end, together with those of its specs.
func (s *scratch) remove(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), removalTime)
	defer cancel()
	err := s.Client.CoreV1().Namespaces().Delete(ctx, s.name, metav1.DeleteOptions{})
	if err != nil && !apierrors.IsNotFound(err) {
		return environment(err, "the namespace %s stays behind; 'rollcall cleanup' removes it", s.name)
	}
	return nil
}

// awaitGone waits for a while until the namespace is gone, for a run that does not
// begin. On a slow cluster the removal ends later.
func (s *scratch) awaitGone(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), removalTime)
	defer cancel()
	_ = await.Gone[corev1.Namespace](ctx, s.Client, s.Client.CoreV1().Namespaces(), await.Named(s.name))
}

// noDryRun reports whether a webhook turned a request down only because it
// cannot be asked for a trial.
func noDryRun(err error) bool {
	return apierrors.IsBadRequest(err) && strings.Contains(err.Error(), "does not support dry run")
}

// refused says who turned an object of rollcall's down: a policy of the cluster
// is a different matter from a right that the caller lacks.
func refused(err error, what string) string {
	for _, sign := range []string{"denied the request", "denied request", "failed calling webhook"} {
		if strings.Contains(err.Error(), sign) {
			return "an admission policy of the cluster refuses " + what + " of rollcall"
		}
	}
	return "the cluster refuses " + what + " of rollcall"
}
