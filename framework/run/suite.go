package run

import (
	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"

	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

// Suite is the specs of one area.
type Suite struct {
	Area requirement.Area
	// Specs describes the area's specs to Ginkgo. They act on the cluster,
	// which is filled in before the first of them runs.
	Specs func(*scene.Cluster)
}

// Catalogue gathers the requirements of all suites.
func Catalogue(suites []Suite) (*requirement.Catalogue, error) {
	areas := make([]requirement.Area, len(suites))
	for i, suite := range suites {
		areas[i] = suite.Area
	}
	return requirement.NewCatalogue(areas...)
}

// describe hands every suite to Ginkgo, a container an area. It may be called
// once a process: Ginkgo keeps what it was told.
func describe(suites []Suite, cluster *scene.Cluster) {
	for _, suite := range suites {
		ginkgo.Describe(suite.Area.Name, func() { suite.Specs(cluster) })
	}
}

// Spec is a spec as the plan knows it.
type Spec struct {
	// Text is the spec's full text, which no other spec has.
	Text string `json:"text"`
	// IDs are the requirements that it checks; the first is what it is about.
	IDs []string `json:"ids"`
}

// Specs lists the specs of all suites without running any. Like describe, it
// may be called once a process.
func Specs(suites []Suite) []Spec {
	describe(suites, &scene.Cluster{})
	suite, reporter := ginkgo.GinkgoConfiguration()
	var specs []Spec
	for _, report := range ginkgo.PreviewSpecs(title, suite, reporter).SpecReports {
		if report.LeafNodeType.Is(types.NodeTypeIt) {
			specs = append(specs, Spec{Text: report.FullText(), IDs: report.Labels()})
		}
	}
	return specs
}
