package report

// area sums up the requirements that belong together.
type area struct {
	Name    string
	Counts  Counts
	Seconds float64
	Results []Result
}

// byArea groups the results by area, in the order of the report. The time of a
// spec that checks requirements of two areas counts for the first of them.
func byArea(r *ConformanceReport) []area {
	index := map[string]int{}
	var areas []area
	for _, result := range r.Results {
		i, known := index[result.Area]
		if !known {
			i = len(areas)
			index[result.Area] = i
			areas = append(areas, area{Name: result.Area})
		}
		areas[i].Counts.add(result.Verdict)
		areas[i].Results = append(areas[i].Results, result)
	}
	for _, spec := range timedSpecs(r) {
		areas[index[spec.Area]].Seconds += spec.Seconds
	}
	return areas
}
