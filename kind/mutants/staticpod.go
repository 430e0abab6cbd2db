package mutants

import (
	"context"
	"fmt"
	"path"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/kind/pkg/cluster/nodes"
	"sigs.k8s.io/kind/pkg/cluster/nodeutils"

	"rollcall.dev/rollcall/framework/await"
	"rollcall.dev/rollcall/kind"
	"rollcall.dev/rollcall/kind/nodeimage"
)

// staticPod is a component that the control-plane node runs from a manifest.
type staticPod struct {
	name string
	// lease is held by the one of its processes that is in charge.
	lease  string
	client kubernetes.Interface
	node   nodes.Node
	built  nodeimage.Built
}

func (s *staticPod) manifest() string { return path.Join("/etc/kubernetes/manifests", s.name+".yaml") }

// original is where the manifest is kept as it was, for as long as it is not.
func (s *staticPod) original() string { return path.Join(nodeDir, s.name+".yaml") }

func (s *staticPod) become(ctx context.Context, mutant Mutant) error {
	if err := install(ctx, s.node, s.built); err != nil {
		return err
	}
	manifest, err := s.keepOriginal(ctx)
	if err != nil {
		return err
	}
	mutated, err := mutateManifest([]byte(manifest), s.name, programOn(s.built), mutant.Name)
	if err != nil {
		return err
	}
	before, err := s.incumbent(ctx)
	if err != nil {
		return err
	}
	// The kubelet takes every file of its folder for a manifest, so the new one
	// is written elsewhere and moved in.
	next := s.original() + ".mutated"
	if err := nodeutils.WriteFile(s.node, next, string(mutated)); err != nil {
		return err
	}
	if _, err := kind.Exec(ctx, s.node, "mv", next, s.manifest()); err != nil {
		return err
	}
	return s.takeOver(ctx, before, programOn(s.built), mutant.Name)
}

// keepOriginal returns the manifest as it was before the first mutant, and
// makes sure that it is kept.
func (s *staticPod) keepOriginal(ctx context.Context) (string, error) {
	const script = `[ -e "$2" ] || { cp -p "$1" "$2.new" && mv "$2.new" "$2"; } && cat "$2"`
	return kind.Exec(ctx, s.node, "sh", "-c", script, "keep", s.manifest(), s.original())
}

func (s *staticPod) broken(ctx context.Context) (bool, error) {
	if exists(ctx, s.node, s.original()) {
		return true, nil
	}
	return disturbed(ctx, s.node, s.name)
}

func (s *staticPod) heal(ctx context.Context) error {
	before, err := s.incumbent(ctx)
	if err != nil {
		return err
	}
	// An earlier run may have moved it and not waited.
	const script = `[ ! -e "$1" ] || mv "$1" "$2"`
	if _, err := kind.Exec(ctx, s.node, "sh", "-c", script, "heal", s.original(), s.manifest()); err != nil {
		return err
	}
	return s.takeOver(ctx, before, "", "")
}

// incumbent is the process that runs before a change, and who is in charge.
type incumbent struct{ pid, holder string }

func (s *staticPod) incumbent(ctx context.Context) (incumbent, error) {
	found, err := processesOf(ctx, s.node, s.name)
	if err != nil {
		return incumbent{}, err
	}
	before := incumbent{}
	if len(found) > 0 {
		before.pid = found[0].pid
	}
	before.holder, err = holder(ctx, s.client, s.lease)
	return before, err
}

// takeOver waits until the component runs as it should, proves it, and waits
// until it is in charge.
func (s *staticPod) takeOver(ctx context.Context, before incumbent, program, mutant string) error {
	if err := s.awaitRunning(ctx, mutant); err != nil {
		return fmt.Errorf("%s does not run as %s: %w", s.name, describe(program, mutant), err)
	}
	now, err := prove(ctx, s.node, s.name, program, mutant)
	if err != nil {
		return err
	}
	if now.pid == before.pid { // it was never replaced
		before.holder = ""
	}
	if err := handOver(ctx, s.client, s.lease, before.holder); err != nil {
		return fmt.Errorf("%s runs and is not in charge: %w", s.name, err)
	}
	return nil
}

// awaitRunning waits until the mirror Pod of the new manifest runs. The kubelet
// starts it only after the Pod of the old one has ended.
func (s *staticPod) awaitRunning(ctx context.Context, mutant string) error {
	mirror := s.name + "-" + s.node.String()
	return await.Until(ctx, s.client, s.client.CoreV1().Pods(metav1.NamespaceSystem), await.Which{Fields: "metadata.name=" + mirror},
		func(event watch.EventType, pod *corev1.Pod) (bool, error) {
			return event != watch.Deleted && mutantOf(pod, s.name) == mutant && runs(pod, s.name), nil
		})
}

func runs(pod *corev1.Pod, container string) bool {
	for _, status := range pod.Status.ContainerStatuses {
		if status.Name == container {
			return status.State.Running != nil
		}
	}
	return false
}
