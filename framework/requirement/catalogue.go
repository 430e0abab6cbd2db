package requirement

import (
	"errors"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/util/version"
)

// Area is a group of requirements that belong together, such as coverage.
type Area struct {
	// Name is the area's name, which is also its package's.
	Name string
	// Title is what the area is about, in a few words.
	Title string
	// Requirements are the area's, in the order in which they are reported.
	Requirements []Requirement
}

// Catalogue is every requirement, by area.
type Catalogue struct {
	areas []Area
	byID  map[string]Requirement
	area  map[string]string
}

// NewCatalogue gathers areas. Its error lists every fault of the data: an ID
// used twice, a field that is missing, a version that is none.
func NewCatalogue(areas ...Area) (*Catalogue, error) {
	c := &Catalogue{areas: areas, byID: map[string]Requirement{}, area: map[string]string{}}
	var faults []error
	for _, area := range areas {
		for _, r := range area.Requirements {
			if _, twice := c.byID[r.ID]; twice {
				faults = append(faults, fmt.Errorf("%s is there twice", r.ID))
			}
			c.byID[r.ID], c.area[r.ID] = r, area.Name
			faults = append(faults, validate(r)...)
		}
	}
	return c, errors.Join(faults...)
}

func validate(r Requirement) []error {
	var faults []error
	for field, value := range map[string]string{
		"ID": r.ID, "Statement": r.Statement, "Doc": r.Doc, "Remedy": r.Remedy, "Level": string(r.Level),
	} {
		if value == "" {
			faults = append(faults, fmt.Errorf("%s: %s is empty", r.ID, field))
		}
	}
	if r.Checked() && r.Limit <= 0 {
		faults = append(faults, fmt.Errorf("%s: a checked requirement needs a time limit", r.ID))
	}
	for _, deviation := range r.Deviations {
		if err := deviation.validate(); err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", r.ID, err))
		}
	}
	return append(faults, bounds(r.ID, r.Since, r.Until)...)
}

// bounds finds what is wrong with a range of versions.
func bounds(id string, versions ...string) []error {
	var faults []error
	for _, bound := range versions {
		if _, err := version.ParseGeneric(bound); bound != "" && err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", id, err))
		}
	}
	return faults
}

// Areas returns the areas in their order.
func (c *Catalogue) Areas() []Area { return c.areas }

// All returns every requirement, in the order of the areas.
func (c *Catalogue) All() []Requirement {
	var all []Requirement
	for _, area := range c.areas {
		all = append(all, area.Requirements...)
	}
	return all
}

// Get returns the requirement with the ID, and whether there is one.
func (c *Catalogue) Get(id string) (Requirement, bool) {
	r, ok := c.byID[id]
	return r, ok
}

// AreaOf returns the name of the area that an ID belongs to.
func (c *Catalogue) AreaOf(id string) string { return c.area[id] }

// Match returns the IDs that any of the names stands for. A name is an ID or
// an area. Its error names the first one that is neither.
func (c *Catalogue) Match(names []string) ([]string, error) {
	var ids []string
	for _, name := range names {
		found := c.match(name)
		if len(found) == 0 {
			return nil, fmt.Errorf("no requirement or area is called %q: see 'rollcall list'", name)
		}
		ids = append(ids, found...)
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

func (c *Catalogue) match(name string) []string {
	if _, ok := c.byID[name]; ok {
		return []string{name}
	}
	var ids []string
	for _, area := range c.areas {
		if area.Name != name {
			continue
		}
		for _, r := range area.Requirements {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// AppliesTo reports whether the release promises the behaviour, and if not,
// why. The version is that of the API server, such as v1.37.2.
func (r Requirement) AppliesTo(server *version.Version) (bool, string) {
	minor := version.MajorMinor(server.Major(), server.Minor())
	if r.Since != "" && minor.LessThan(version.MustParseGeneric(r.Since)) {
		return false, fmt.Sprintf("promised since Kubernetes %s, this is %s", r.Since, minor)
	}
	if r.Until != "" && version.MustParseGeneric(r.Until).LessThan(minor) {
		return false, fmt.Sprintf("promised until Kubernetes %s, this is %s", r.Until, minor)
	}
	return true, ""
}
