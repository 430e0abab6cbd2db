package scene

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	watchtools "k8s.io/client-go/tools/watch"
	"k8s.io/utils/ptr"

	"rollcall.dev/rollcall/framework/cluster"
	"rollcall.dev/rollcall/framework/limit"
)

// PodSecurity is a level of the Pod Security Standards.
type PodSecurity string

// The levels. Every fixture passes Restricted but the few that are about the
// network of a node.
const (
	Restricted PodSecurity = "restricted"
	Privileged PodSecurity = "privileged"
)

// createNamespace makes a namespace that is ready for Pods: its default
// ServiceAccount is there, without which admission refuses every Pod.
func (c *Cluster) createNamespace(ctx context.Context, spec string, security PodSecurity) (string, error) {
	labels := cluster.Labels(c.RunID)
	labels["pod-security.kubernetes.io/enforce"] = string(security)
	namespace, err := c.Client.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{
		GenerateName: "rollcall-",
		Labels:       labels,
		Annotations: map[string]string{
			SpecAnnotation: spec,
			// An admission plugin may give namespaces a default node selector;
			// an empty one says that ours has none.
			"scheduler.alpha.kubernetes.io/node-selector": "",
			"openshift.io/node-selector":                  "",
		},
	}}, metav1.CreateOptions{})
	if err != nil {
		return "", err
	}
	if err := c.awaitServiceAccount(ctx, namespace.Name); err != nil {
		return namespace.Name, err
	}
	return namespace.Name, c.copyPullSecret(ctx, namespace.Name)
}

func (c *Cluster) awaitServiceAccount(ctx context.Context, namespace string) error {
	ctx, cancel := context.WithTimeout(ctx, c.Longest(limit.Namespace))
	defer cancel()
	accounts := cache.NewListWatchFromClient(c.Client.CoreV1().RESTClient(), "serviceaccounts", namespace,
		fields.OneTermEqualSelector(metav1.ObjectNameField, "default"))
	_, err := watchtools.UntilWithSync(ctx, accounts, &corev1.ServiceAccount{}, nil, func(event watch.Event) (bool, error) {
		return event.Type == watch.Added || event.Type == watch.Modified, nil
	})
	if err != nil {
		return fmt.Errorf("namespace %s got no default ServiceAccount: %w", namespace, err)
	}
	return nil
}

func (c *Cluster) copyPullSecret(ctx context.Context, namespace string) error {
	if c.PullSecret == nil {
		return nil
	}
	secret := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: c.PullSecret.Name},
		Type:       c.PullSecret.Type, Data: c.PullSecret.Data,
	}
	_, err := c.Client.CoreV1().Secrets(namespace).Create(ctx, secret, metav1.CreateOptions{})
	return err
}

// deleteNamespace starts the removal of a namespace. The run waits for all of
// them at its end, so that one spec need not wait for another's Pods to stop.
func (c *Cluster) deleteNamespace(ctx context.Context, name string) error {
	err := c.Client.CoreV1().Namespaces().Delete(ctx, name, metav1.DeleteOptions{
		PropagationPolicy: ptr.To(metav1.DeletePropagationBackground),
	})
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}
