package run

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/util/version"

	"rollcall.dev/rollcall/framework/requirement"
)

// Selection is what the user asked for.
type Selection struct {
	// Level is the highest level that the run may reach.
	Level requirement.Level
	// Focus and Skip name requirements or areas; an empty focus is everything.
	Focus, Skip []string
}

// Plan says of each requirement whether it is checked, and of each batch which
// specs it runs.
type Plan struct {
	Items   []Item
	Batches []Batch
}

// Checked is how many requirements are checked.
func (p *Plan) Checked() int {
	n := 0
	for _, item := range p.Items {
		if item.Skip == "" {
			n++
		}
	}
	return n
}

// Specs is how many specs are run.
func (p *Plan) Specs() int {
	n := 0
	for _, batch := range p.Batches {
		n += len(batch.Specs)
	}
	return n
}

// Item is the plan for one requirement.
type Item struct {
	requirement.Requirement
	Area string
	// Specs are the texts of the specs that check it; none if it is skipped.
	Specs []string
	// Skip is why it is not checked; empty if it is.
	Skip string
	// Required is true if a skip leaves the run partial: the requirement was
	// asked for and the release promises it.
	Required bool
}

// Batch is what one worker runs, one spec after the other.
type Batch struct {
	Specs []Spec
	// Limit is how long it may take on a small cluster, before scaling.
	Limit time.Duration
	// Phase is when it runs.
	Phase Phase
}

// Phase orders batches by what they do to the nodes under the others' feet: a
// phase begins when the one before it has ended.
type Phase int

const (
	// Beside is for specs that leave every node as it is.
	Beside Phase = iota
	// Adding is for specs that make nodes of their own.
	Adding
	// Alone is for specs that change the cluster's nodes, one at a time.
	Alone
	// Last is for specs after which the nodes are others.
	Last
)

func phaseOf(r requirement.Requirement) Phase {
	switch level := r.Level; {
	case r.Last:
		return Last
	case level.Reaches(requirement.Node):
		return Alone
	case level.Reaches(requirement.Simulated):
		return Adding
	default:
		return Beside
	}
}

// NewPlan decides what is run. Missing says which capabilities the cluster
// lacks, and why. Its error is a name in the selection that nothing bears.
func NewPlan(catalogue *requirement.Catalogue, specs []Spec, want Selection, server *version.Version, missing map[requirement.Capability]string) (*Plan, error) {
	chosen, err := choose(catalogue, want)
	if err != nil {
		return nil, err
	}
	bySpec := map[string][]string{}
	for _, spec := range specs {
		for _, id := range spec.IDs {
			bySpec[id] = append(bySpec[id], spec.Text)
		}
	}
	plan := &Plan{}
	for _, r := range catalogue.All() {
		item := Item{Requirement: r, Area: catalogue.AreaOf(r.ID)}
		item.Skip, item.Required = skip(r, chosen[r.ID], want.Level, server, missing)
		if item.Skip == "" {
			item.Specs = bySpec[r.ID]
		}
		plan.Items = append(plan.Items, item)
	}
	plan.Batches = batches(plan.Items, specs)
	return plan, nil
}

func choose(catalogue *requirement.Catalogue, want Selection) (map[string]bool, error) {
	chosen := map[string]bool{}
	focus, err := catalogue.Match(want.Focus)
	if err != nil {
		return nil, err
	}
	skipped, err := catalogue.Match(want.Skip)
	if err != nil {
		return nil, err
	}
	for _, r := range catalogue.All() {
		inFocus := len(want.Focus) == 0 || slices.Contains(focus, r.ID)
		chosen[r.ID] = inFocus && !slices.Contains(skipped, r.ID)
	}
	return chosen, nil
}

// skip returns why a requirement is not checked and, if so, whether that is a
// hole in the verdict.
func skip(r requirement.Requirement, chosen bool, level requirement.Level, server *version.Version, missing map[requirement.Capability]string) (reason string, required bool) {
	if !chosen {
		return "not selected", false
	}
	if !r.Checked() {
		return "not checked: " + r.Unchecked, false
	}
	if applies, why := r.AppliesTo(server); !applies {
		return why, false
	}
	if !level.Reaches(r.Level) {
		return fmt.Sprintf("needs level %s, this run may reach %s", r.Level, level), false
	}
	for _, need := range r.Asks() {
		if why, lacks := missing[need]; lacks {
			return why, true
		}
	}
	return "", true
}

// batches groups the specs of requirements that are checked. Specs that start
// no Pod take milliseconds, so those of an area share a worker; every other
// one has its own. Within a phase
// the longest come first, so that none is left for the end.
func batches(items []Item, specs []Spec) []Batch {
	planned := map[string]Item{}
	for _, item := range items {
		if item.Skip == "" {
			planned[item.ID] = item
		}
	}
	quick := map[string]*Batch{}
	var result []*Batch
	for _, spec := range specs {
		item, limit, wanted := weigh(spec, planned)
		if !wanted {
			continue
		}
		batch := quick[item.Area]
		if batch == nil || item.Level != requirement.API {
			batch = &Batch{Phase: phaseOf(item.Requirement)}
			result = append(result, batch)
		}
		if item.Level == requirement.API {
			quick[item.Area] = batch
		}
		batch.Specs = append(batch.Specs, spec)
		batch.Limit += limit
	}
	slices.SortStableFunc(result, func(a, b *Batch) int {
		return cmp.Or(cmp.Compare(a.Phase, b.Phase), cmp.Compare(b.Limit, a.Limit))
	})
	ordered := make([]Batch, len(result))
	for i, batch := range result {
		ordered[i] = *batch
	}
	return ordered
}

// weigh tells whether a spec is wanted, how long it may take, and the
// requirement of the highest level that it checks.
func weigh(spec Spec, planned map[string]Item) (highest Item, limit time.Duration, wanted bool) {
	for _, id := range spec.IDs {
		item, ok := planned[id]
		if !ok {
			continue
		}
		if !wanted || item.Level.Reaches(highest.Level) {
			highest = item
		}
		wanted, limit = true, limit+item.Limit
	}
	return highest, limit, wanted
}
