package mutants

import (
	"context"
	"os"
	"path/filepath"

	"rollcall.dev/rollcall/kind/nodeimage"
)

// kubectl is the one that a run drains nodes with. It lives for one command, so
// its environment is all that it takes.
type kubectl struct {
	folder string
	built  nodeimage.Built
	// mutant is the name of the one that is awake; empty for the kubectl that is
	// built into rollcall.
	mutant string
}

// program is the name by which our build behaves as kubectl.
func (k *kubectl) program() string { return filepath.Join(k.folder, "kubectl") }

func (k *kubectl) become(_ context.Context, mutant Mutant) error {
	if err := os.Remove(k.program()); err != nil && !os.IsNotExist(err) {
		return err
	}
	k.mutant = mutant.Name
	return os.Symlink(k.built.Path, k.program())
}

func (k *kubectl) broken(context.Context) (bool, error) { return k.mutant != "", nil }

func (k *kubectl) heal(context.Context) error {
	k.mutant = ""
	return nil
}
