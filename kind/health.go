package kind

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	watchtools "k8s.io/client-go/tools/watch"
	"sigs.k8s.io/kind/pkg/cluster/nodes"
	"sigs.k8s.io/kind/pkg/cluster/nodeutils"

	"rollcall.dev/rollcall/kind/host"
	"rollcall.dev/rollcall/kind/nodeimage"
)

const (
	// answerTime is how long the API server of a healthy cluster may take to
	// answer, on a busy machine.
	answerTime = 10 * time.Second
	// patience is how long a node may stay NotReady before the cluster counts
	// as dead. Kubelets that rollcall stopped come back within 75 s by
	// themselves.
	patience = 90 * time.Second
	// completeFile is in the control-plane node of a cluster whose creation
	// came to its end. It holds the fingerprint of its configuration.
	completeFile = "/kind/rollcall-complete"
)

// fault says why a cluster that is there cannot be used, or nil. What can be
// seen from outside comes first: it is quick, and a cluster that is made
// otherwise need not be waited for.
func (c *Cluster) fault(ctx context.Context, wanted int, image nodeimage.Image, print string) error {
	present, err := c.Nodes()
	if err != nil {
		return err
	}
	names := make([]string, 0, len(present))
	for _, node := range present {
		names = append(names, node.String())
	}
	if len(names) != wanted {
		return fmt.Errorf("it has %d of %d node containers", len(names), wanted)
	}
	if err := containerFault(ctx, names, image); err != nil {
		return err
	}
	controlPlane, err := nodeutils.BootstrapControlPlaneNode(present)
	if err != nil {
		return err
	}
	switch found, err := Exec(ctx, controlPlane, "cat", completeFile); {
	case err != nil:
		return errors.New("its creation was interrupted")
	case found != print:
		return errors.New("it was made from another configuration")
	}
	slow := time.AfterFunc(3*time.Second, func() {
		c.progress.Note("the cluster %s is there, but not all of it is Ready: it has %s to come back", c.Name, patience)
	})
	defer slow.Stop()
	return c.awaitReady(ctx, patience)
}

// containerFault says which node container does not run, or runs another image.
func containerFault(ctx context.Context, names []string, image nodeimage.Image) error {
	states, err := host.Run(ctx, append([]string{"docker", "inspect", "--format", "{{.Name}} {{.State.Status}} {{.Image}}"}, names...)...)
	if err != nil {
		return err
	}
	for _, line := range strings.Split(states, "\n") {
		var name, status, id string
		if _, err := fmt.Sscan(line, &name, &status, &id); err != nil {
			return fmt.Errorf("docker inspect says %q", line)
		}
		name = strings.TrimPrefix(name, "/")
		if status != "running" {
			return fmt.Errorf("the node container %s is %s", name, status)
		}
		if id != image.ID {
			return fmt.Errorf("the node %s runs another image than %s", name, image.Name)
		}
	}
	return nil
}

func (c *Cluster) markComplete(ctx context.Context, print string) error {
	present, err := c.Nodes()
	if err != nil {
		return err
	}
	controlPlane, err := nodeutils.BootstrapControlPlaneNode(present)
	if err != nil {
		return err
	}
	return nodeutils.WriteFile(controlPlane, completeFile, print)
}

// awaitReady waits until each node container is a Ready node. The error names
// the nodes that are not, and what they say.
func (c *Cluster) awaitReady(ctx context.Context, limit time.Duration) error {
	config, err := c.RESTConfig()
	if err != nil {
		return fmt.Errorf("its kubeconfig cannot be read: %w", err)
	}
	config.Timeout = answerTime
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	// A dead API server is told from a slow node before the wait begins.
	if _, err := client.Discovery().ServerVersion(); err != nil {
		return fmt.Errorf("its API server does not answer: %w", err)
	}
	config.Timeout = 0 // a watch lasts
	if client, err = kubernetes.NewForConfig(config); err != nil {
		return err
	}
	present, err := c.Nodes()
	if err != nil {
		return err
	}
	missing := readiness{}
	for _, node := range present {
		missing[node.String()] = "no such Node"
	}
	if err := missing.await(ctx, client, limit); err != nil {
		return withKubeletErrors(ctx, err, present, missing)
	}
	return nil
}

// withKubeletErrors adds what the kubelets of the missing nodes last complained
// of: a node that never registered says nothing by itself.
func withKubeletErrors(ctx context.Context, err error, present []nodes.Node, missing readiness) error {
	for _, node := range present {
		if missing[node.String()] == "" || ctx.Err() != nil {
			continue
		}
		const script = `journalctl --unit kubelet.service --no-pager --output cat --lines 300 | grep '^E' | tail -n 1`
		if said, execErr := Exec(ctx, node, "sh", "-c", script); execErr == nil && said != "" {
			err = fmt.Errorf("%w; the kubelet of %s says: %s", err, node, said)
		}
	}
	return err
}

// readiness holds the nodes that are not Ready yet, and why.
type readiness map[string]string

func (r readiness) await(ctx context.Context, client kubernetes.Interface, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	all := &cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
			return client.CoreV1().Nodes().List(ctx, options)
		},
		WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
			return client.CoreV1().Nodes().Watch(ctx, options)
		},
	}
	expected := maps.Clone(r)
	source := cache.ToListWatcherWithWatchListSemantics(all, client)
	_, err := watchtools.UntilWithSync(ctx, source, &corev1.Node{}, nil, func(event watch.Event) (bool, error) {
		if node, ok := event.Object.(*corev1.Node); ok && expected[node.Name] != "" {
			r.see(node, event.Type == watch.Deleted)
		}
		return len(r) == 0, nil
	})
	if err == nil {
		return nil
	}
	if cause := context.Cause(ctx); errors.Is(cause, context.Canceled) {
		return cause
	}
	return fmt.Errorf("after %s these nodes are not Ready: %s", limit, r)
}

// see takes in one observation of a node.
func (r readiness) see(node *corev1.Node, deleted bool) {
	if deleted {
		r[node.Name] = "no such Node"
		return
	}
	r[node.Name] = "no condition Ready"
	for _, condition := range node.Status.Conditions {
		if condition.Type != corev1.NodeReady {
			continue
		}
		if condition.Status == corev1.ConditionTrue {
			delete(r, node.Name)
			return
		}
		r[node.Name] = condition.Reason + ": " + condition.Message
	}
}

func (r readiness) String() string {
	var nodes []string
	for _, name := range slices.Sorted(maps.Keys(r)) {
		nodes = append(nodes, fmt.Sprintf("%s (%s)", name, r[name]))
	}
	return strings.Join(nodes, ", ")
}
