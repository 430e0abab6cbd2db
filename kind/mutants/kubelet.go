package mutants

import (
	"context"
	"fmt"
	"path"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/kind/pkg/cluster/nodes"
	"sigs.k8s.io/kind/pkg/cluster/nodeutils"

	"rollcall.dev/rollcall/framework/await"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/kind"
	"rollcall.dev/rollcall/kind/nodeimage"
)

// dropIn makes the kubelet of a node one of ours. It comes after kubeadm's and
// kind's, and being in /run it does not survive a restart of the node.
const dropIn = "/run/systemd/system/kubelet.service.d/90-rollcall-mutant.conf"

// kubelets are those of all workers, which are mutants together: a spec may
// look at any of them.
type kubelets struct {
	client  kubernetes.Interface
	workers []nodes.Node
	built   nodeimage.Built
}

func (k *kubelets) become(ctx context.Context, mutant Mutant) error {
	return k.each(ctx, func(ctx context.Context, node nodes.Node) error { return k.becomeOn(ctx, node, mutant.Name) })
}

func (k *kubelets) broken(ctx context.Context) (bool, error) {
	for _, node := range k.workers {
		if broken, err := k.brokenOn(ctx, node); broken || err != nil {
			return broken, err
		}
	}
	return false, nil
}

func (k *kubelets) brokenOn(ctx context.Context, node nodes.Node) (bool, error) {
	if exists(ctx, node, dropIn) {
		return true, nil
	}
	return disturbed(ctx, node, "kubelet")
}

func (k *kubelets) heal(ctx context.Context) error { return k.each(ctx, k.healOn) }

func (k *kubelets) each(ctx context.Context, do func(context.Context, nodes.Node) error) error {
	group, ctx := errgroup.WithContext(ctx)
	for _, node := range k.workers {
		group.Go(func() error { return do(ctx, node) })
	}
	return group.Wait()
}

func (k *kubelets) becomeOn(ctx context.Context, node nodes.Node, mutant string) error {
	if !standsIn(ctx, node, "kubelet", programOn(k.built)) {
		if err := k.standIn(ctx, node); err != nil {
			return err
		}
	}
	return awaken(ctx, node, Kubelet, mutant)
}

// standIn lets our build run in place of the released kubelet, as no mutant yet.
func (k *kubelets) standIn(ctx context.Context, node nodes.Node) error {
	if err := install(ctx, node, k.built); err != nil {
		return err
	}
	// The binary behaves as what it is called by.
	program := path.Join(path.Dir(programOn(k.built)), "kubelet")
	const script = `ln -sf kubernetes "$1" && rm -rf "$2"`
	if _, err := kind.Exec(ctx, node, "sh", "-c", script, "stand-in", program, follows(Kubelet)); err != nil {
		return err
	}
	unit, err := kind.Exec(ctx, node, "systemctl", "cat", "kubelet.service")
	if err != nil {
		return err
	}
	content, err := dropInFor(unit, program)
	if err != nil {
		return fmt.Errorf("node %s: %w", node, err)
	}
	if err := nodeutils.WriteFile(node, dropIn, content); err != nil {
		return err
	}
	return k.restart(ctx, node, programOn(k.built))
}

func (k *kubelets) healOn(ctx context.Context, node nodes.Node) error {
	if broken, err := k.brokenOn(ctx, node); !broken || err != nil {
		return err
	}
	if _, err := kind.Exec(ctx, node, "rm", "-f", dropIn); err != nil {
		return err
	}
	return k.restart(ctx, node, "")
}

// restart starts the kubelet anew and returns once it is what it should be and
// its node is in service.
func (k *kubelets) restart(ctx context.Context, node nodes.Node, program string) error {
	began := time.Now()
	for _, args := range [][]string{{"daemon-reload"}, {"restart", "kubelet.service"}} {
		if _, err := kind.Exec(ctx, node, "systemctl", args...); err != nil {
			return err
		}
	}
	if err := k.awaitWord(ctx, node.String(), began); err != nil {
		return fmt.Errorf("the kubelet of %s was started again and its node is not Ready: %w", node, err)
	}
	_, err := prove(ctx, node, "kubelet", program)
	return err
}

// awaitWord waits until a kubelet has said since an instant that its node is
// Ready, and the control plane has taken its taints off. Until the new process
// speaks, the node shows what the old one said.
func (k *kubelets) awaitWord(ctx context.Context, node string, since time.Time) error {
	since = since.Truncate(time.Second) // as the API does
	return await.Until(ctx, k.client, k.client.CoreV1().Nodes(), await.Which{Fields: "metadata.name=" + node},
		func(event watch.EventType, node *corev1.Node) (bool, error) {
			tainted := judge.HasTaint(node, corev1.TaintNodeNotReady, corev1.TaintNodeUnreachable)
			return event != watch.Deleted && judge.NodeReadySince(node, since) && !tainted, nil
		})
}

// dropInFor is a drop-in for a unit, given as `systemctl cat` prints it: the
// same command line, by another program that follows a folder.
func dropInFor(unit, program string) (string, error) {
	const key = "ExecStart="
	var command string
	for _, line := range strings.Split(unit, "\n") {
		if value, ok := strings.CutPrefix(strings.TrimSpace(line), key); ok && value != "" {
			command = value // the last one counts
		}
	}
	if command == "" || strings.HasSuffix(command, `\`) {
		return "", fmt.Errorf("the unit of the kubelet has no command line to change: %q", command)
	}
	arguments := ""
	if i := strings.IndexByte(command, ' '); i >= 0 {
		arguments = command[i:]
	}
	return fmt.Sprintf("[Service]\nEnvironment=%s=%s\nExecStart=\nExecStart=%s%s\n", folderEnv, follows(Kubelet), program, arguments), nil
}
