package mutants

import (
	"context"
	"fmt"
	"path"

	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/kind/pkg/cluster/nodes"
	"sigs.k8s.io/kind/pkg/cluster/nodeutils"

	"rollcall.dev/rollcall/kind"
	"rollcall.dev/rollcall/kind/nodeimage"
)

// staticPod is a component that the control-plane node runs from a manifest.
type staticPod struct {
	component Component
	// takeOver waits until the new process is in charge. before is who was.
	takeOver func(ctx context.Context, before string) error
	client   kubernetes.Interface
	node     nodes.Node
	built    nodeimage.Built
}

func (s *staticPod) manifest() string {
	return path.Join("/etc/kubernetes/manifests", string(s.component)+".yaml")
}

// original is where the manifest is kept as it was, for as long as it is not.
func (s *staticPod) original() string { return path.Join(nodeDir, string(s.component)+".yaml") }

func (s *staticPod) become(ctx context.Context, mutant Mutant) error {
	if !standsIn(ctx, s.node, string(s.component), programOn(s.built)) {
		if err := s.standIn(ctx); err != nil {
			return err
		}
	}
	return awaken(ctx, s.node, s.component, mutant.Name)
}

// standIn lets our build run in place of the released component, as no mutant
// yet.
func (s *staticPod) standIn(ctx context.Context) error {
	if err := install(ctx, s.node, s.built); err != nil {
		return err
	}
	manifest, err := s.keepOriginal(ctx)
	if err != nil {
		return err
	}
	mutated, err := mutateManifest([]byte(manifest), s.component, programOn(s.built))
	if err != nil {
		return err
	}
	// The kubelet takes every file of its folder for a manifest, so the new one
	// is written elsewhere and moved in.
	next := s.original() + ".mutated"
	if err := nodeutils.WriteFile(s.node, next, string(mutated)); err != nil {
		return err
	}
	return s.replace(ctx, programOn(s.built), `rm -rf "$3" && mv "$1" "$2"`, next, s.manifest(), follows(s.component))
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
	return disturbed(ctx, s.node, string(s.component))
}

func (s *staticPod) heal(ctx context.Context) error {
	// An earlier run may have moved it and not waited.
	return s.replace(ctx, "", `[ ! -e "$1" ] || mv "$1" "$2"`, s.original(), s.manifest())
}

// replace changes the manifest with a script and waits until the one process of
// the component runs the program, and is in charge.
func (s *staticPod) replace(ctx context.Context, program, script string, args ...string) error {
	before, err := s.incumbent(ctx)
	if err != nil {
		return err
	}
	if _, err := kind.Exec(ctx, s.node, "sh", append([]string{"-c", script, "replace"}, args...)...); err != nil {
		return err
	}
	now, err := prove(ctx, s.node, string(s.component), program)
	if err != nil {
		return err
	}
	if now.pid == before.pid { // it was never replaced
		before.holder = ""
	}
	if err := s.takeOver(ctx, before.holder); err != nil {
		return fmt.Errorf("%s runs and is not in charge: %w", s.component, err)
	}
	return nil
}

// incumbent is the process that runs before a change, and who is in charge.
type incumbent struct{ pid, holder string }

func (s *staticPod) incumbent(ctx context.Context) (incumbent, error) {
	found, err := processesOf(ctx, s.node, string(s.component))
	if err != nil {
		return incumbent{}, err
	}
	before := incumbent{}
	if len(found) > 0 {
		before.pid = found[0].pid
	}
	if s.component != APIServer { // all of them are in charge
		before.holder, err = holder(ctx, s.client, string(s.component))
	}
	return before, err
}
