package requirement

// The functions of this file change one thing about a requirement, so that the
// data of an area can be written as what is special about each.

// Noted adds a note.
func Noted(r Requirement, note string) Requirement {
	r.Note = note
	return r
}

// From bounds a requirement to a minor version and those after it.
func From(minor string, r Requirement) Requirement {
	r.Since = minor
	return r
}

// NotChecked says why no spec checks a requirement.
func NotChecked(r Requirement, reason string) Requirement {
	r.Unchecked = reason
	return r
}

// OnLentNode makes a requirement one that shows only when a lent node is acted on,
// as the note tells.
func OnLentNode(r Requirement, note string) Requirement {
	r.Level, r.Needs = Outage, append(r.Needs, LentNode)
	return Noted(r, note)
}
