package report

// skipGroup is what was skipped for one reason.
type skipGroup struct {
	reason  string
	results []Result
}

// skipped groups the skipped requirements by their reason, in the order in
// which the reasons first appear.
func skipped(r *ConformanceReport) []skipGroup {
	index := map[string]int{}
	var groups []skipGroup
	for _, result := range r.Results {
		if result.Verdict != Skipped {
			continue
		}
		reason := oneLine(result.Seen())
		if reason == "" {
			reason = "no reason given"
		}
		i, known := index[reason]
		if !known {
			i = len(groups)
			index[reason] = i
			groups = append(groups, skipGroup{reason: reason})
		}
		groups[i].results = append(groups[i].results, result)
	}
	return groups
}

// optional returns the requirements that nobody asked for or that the release
// does not promise.
func (g skipGroup) optional() []string {
	var ids []string
	for _, result := range g.results {
		if !result.Required {
			ids = append(ids, result.ID)
		}
	}
	return ids
}
