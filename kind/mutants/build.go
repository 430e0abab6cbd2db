package mutants

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"rollcall.dev/rollcall/kind/nodeimage"
	"rollcall.dev/rollcall/kind/progress"
)

// build returns the binary that holds every mutant of the table: the choice of
// what is run must not cost another build.
func build(ctx context.Context, printer *progress.Printer, module nodeimage.Module) (nodeimage.Built, error) {
	mutants, _ := fitting(module.KubernetesVersion, table)
	return module.BuildVariant(ctx, printer, nodeimage.Variant{
		Name:    "mutants",
		Inputs:  buildInputs(mutants),
		Staging: stagingModules(mutants),
		Added:   []string{switchModule},
		Change:  func(dir string) error { return change(dir, mutants) },
	})
}

func buildInputs(mutants []Mutant) string {
	var inputs strings.Builder
	fmt.Fprintf(&inputs, "%q %q\n", switchMod, switchSource)
	for _, mutant := range mutants {
		fmt.Fprintf(&inputs, "%q %q\n", mutant.Name, mutant.Edit)
	}
	return inputs.String()
}

// needsBuild tells whether any of the mutants is an edited component.
func needsBuild(mutants []Mutant) bool {
	return slices.ContainsFunc(mutants, func(m Mutant) bool { return m.Saboteur == nil })
}
