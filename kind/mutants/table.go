package mutants

import (
	"cmp"
	"slices"
)

// area is a handful of mutants that break the same sort of promise by changes of
// the same file.
type area struct {
	name      string
	component Component
	file      string
	mutants   []Mutant
}

// table holds every mutant, those of a component together: going back to a
// component costs two restarts more.
var table = tableOf(
	tolerationMutants, eligibilityMutants, nodeChangeMutants, podMutants, ownerMutants, statusMutants,
	updateMutants, surgeMutants, revisionMutants,
	taintMutants, conditionMutants, collectionMutants, jobMutants, endpointMutants, disruptionMutants,
	serverMutants, resourceMutants,
	schedulerMutants,
	initMutants, sidecarMutants, endingMutants,
	drainMutants,
	saboteurMutants,
)

func tableOf(groups ...[]area) []Mutant {
	var all []Mutant
	for _, areas := range groups {
		for _, area := range areas {
			for _, mutant := range area.mutants {
				mutant.Area, mutant.Component, mutant.Edit.File = area.name, area.component, area.file
				all = append(all, mutant)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Mutant) int {
		return cmp.Compare(slices.Index(components, a.Component), slices.Index(components, b.Component))
	})
	return all
}
