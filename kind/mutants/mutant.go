package mutants

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/version"

	"rollcall.dev/rollcall/framework/requirement"
)

// Component is the part of a cluster that a mutant breaks.
type Component string

// The components that can be broken.
const (
	ControllerManager Component = "kube-controller-manager"
	Scheduler         Component = "kube-scheduler"
	Kubelet           Component = "kubelet"
	APIServer         Component = "kube-apiserver"
	// Kubectl is no part of the cluster: the run is given a broken one.
	Kubectl Component = "kubectl"
	// Admission stands for the saboteurs: no component is changed.
	Admission Component = "admission"
)

// components is all of them, in the order in which they are tried and healed.
// The API server comes last: when it restarts, everything else notices.
var components = []Component{Admission, Kubectl, Scheduler, ControllerManager, Kubelet, APIServer}

// Mutant is a cluster that breaks one promise.
type Mutant struct {
	// Name says what the broken component does, such as forgets-a-toleration.
	Name string
	// Area is the sort of promise that it breaks. Area, Component and the file of
	// Edit come from the part of the table in which the mutant stands.
	Area      string
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
	// Since is the first release whose source the edit fits; empty means all.
	Since string
}

// level is how far a run must reach to see the mutant.
func (m Mutant) level(catalogue *requirement.Catalogue) requirement.Level {
	highest := requirement.API
	for _, id := range m.focus() {
		if found, ok := catalogue.Get(id); ok && found.Level.Reaches(highest) {
			highest = found.Level
		}
	}
	return highest
}

// focus is what is checked of the mutant.
func (m Mutant) focus() []string { return slices.Concat(m.Expect, m.MayFollow) }

// fitting parts the mutants into those that fit the source of a release, such as
// v1.37.2, and the others.
func fitting(release string, mutants []Mutant) (fit, unfit []Mutant) {
	for _, mutant := range mutants {
		if mutant.Since == "" || version.MustParseGeneric(release).AtLeast(version.MustParseGeneric(mutant.Since)) {
			fit = append(fit, mutant)
		} else {
			unfit = append(unfit, mutant)
		}
	}
	return fit, unfit
}

// unchecked are the requirements that must turn red and that no spec checks
// yet.
func (m Mutant) unchecked(catalogue *requirement.Catalogue) []string {
	return slices.DeleteFunc(slices.Clone(m.Expect), func(id string) bool {
		found, ok := catalogue.Get(id)
		return ok && found.Checked()
	})
}

// smallSet is the name of the mutants that are tried in every build: some of each
// component but the scheduler, of those that are caught soonest.
const smallSet = "ci"

// Find returns the mutants of the table that are called so, or that are of a
// component of that name, or all of them if no name is given, in the order of the
// table.
func Find(names []string) ([]Mutant, error) {
	for _, name := range names {
		if !slices.ContainsFunc(table, func(m Mutant) bool { return m.calledBy(name) }) {
			return nil, fmt.Errorf("no mutant is called %q: there are %s and, as names of several, %s", name,
				strings.Join(namesOf(table), ", "), strings.Join(groupNames(), ", "))
		}
	}
	if len(names) == 0 {
		return slices.Clone(table), nil
	}
	var found []Mutant
	for _, mutant := range table {
		if slices.ContainsFunc(names, mutant.calledBy) {
			found = append(found, mutant)
		}
	}
	return found, nil
}

func (m Mutant) calledBy(name string) bool {
	return m.Name == name || string(m.Component) == name || name == smallSet && slices.Contains(small, m.Name)
}

func groupNames() []string {
	names := []string{smallSet}
	for _, component := range components {
		names = append(names, string(component))
	}
	return names
}

func namesOf(mutants []Mutant) []string {
	names := make([]string, len(mutants))
	for i, mutant := range mutants {
		names[i] = mutant.Name
	}
	return names
}
