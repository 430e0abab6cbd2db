package mutants

import (
	"fmt"
	"slices"
	"strings"

	"rollcall.dev/rollcall/framework/requirement"
)

// Component is the part of a cluster that a mutant breaks.
type Component string

// The components that can be broken.
const (
	ControllerManager Component = "kube-controller-manager"
	Kubelet           Component = "kubelet"
	// Admission stands for the saboteurs: no component is changed.
	Admission Component = "admission"
)

// Mutant is a cluster that breaks one promise.
type Mutant struct {
	// Name says what the broken component does, such as forgets-a-toleration.
	Name      string
	Component Component
	// Edit is the change to the component; empty for a saboteur.
	Edit Edit
	// Saboteur undoes the promise from outside; nil for an edited component.
	Saboteur *Saboteur
	// Expect lists the requirements that must turn red.
	Expect []string
	// MayFollow lists requirements that may turn red as well, because what they
	// promise includes the broken promise.
	MayFollow []string
	// Run names the areas or requirements that could see the mutant.
	Run []string
	// Level is how far the run must reach; empty means requirement.Namespace.
	Level requirement.Level
}

func (m Mutant) level() requirement.Level {
	if m.Level == "" {
		return requirement.Namespace
	}
	return m.Level
}

// Find returns the mutants of the table that are called so, in the order of the
// table, or all of them if no name is given.
func Find(names []string) ([]Mutant, error) {
	for _, name := range names {
		if !slices.ContainsFunc(table, func(m Mutant) bool { return m.Name == name }) {
			return nil, fmt.Errorf("no mutant is called %q: there are %s", name, strings.Join(namesOf(table), ", "))
		}
	}
	if len(names) == 0 {
		return slices.Clone(table), nil
	}
	var found []Mutant
	for _, mutant := range table {
		if slices.Contains(names, mutant.Name) {
			found = append(found, mutant)
		}
	}
	return found, nil
}

func namesOf(mutants []Mutant) []string {
	names := make([]string, len(mutants))
	for i, mutant := range mutants {
		names[i] = mutant.Name
	}
	return names
}
