package judge

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"rollcall.dev/rollcall/framework/history"
)

// RevisionsOf returns the ControllerRevisions of a DaemonSet, the lowest number
// first.
func RevisionsOf(state *history.State, daemonSet types.UID) []*appsv1.ControllerRevision {
	revisions := slices.DeleteFunc(state.Revisions(), func(r *appsv1.ControllerRevision) bool {
		controller := metav1.GetControllerOfNoCopy(r)
		return controller == nil || controller.UID != daemonSet
	})
	slices.SortFunc(revisions, func(a, b *appsv1.ControllerRevision) int { return cmp.Compare(a.Revision, b.Revision) })
	return revisions
}

func numbersOf(revisions []*appsv1.ControllerRevision) []int64 {
	numbers := make([]int64, len(revisions))
	for i, revision := range revisions {
		numbers[i] = revision.Revision
	}
	return numbers
}

// RevisionsAre is the condition that a DaemonSet has just the ControllerRevisions
// with these numbers, the lowest first.
func RevisionsAre(daemonSet types.UID, numbers ...int64) Condition {
	return Condition{
		Claim: fmt.Sprintf("the DaemonSet has the ControllerRevisions %v", numbers),
		Lacks: func(state *history.State) string {
			if have := numbersOf(RevisionsOf(state, daemonSet)); !slices.Equal(have, numbers) {
				return fmt.Sprintf("it has %v", have)
			}
			return ""
		},
	}
}

// RevisionsDiffer is the claim that no two ControllerRevisions of a DaemonSet
// ever have the same content or the same number.
func RevisionsDiffer(daemonSet types.UID) Judge {
	return Always(Condition{
		Claim: "no two ControllerRevisions of the DaemonSet have the same content or number",
		Lacks: func(state *history.State) string {
			revisions := RevisionsOf(state, daemonSet)
			for i, one := range revisions {
				for _, other := range revisions[i+1:] {
					if one.Revision == other.Revision || bytes.Equal(one.Data.Raw, other.Data.Raw) {
						return fmt.Sprintf("%s (number %d) and %s (number %d) do", one.Name, one.Revision, other.Name, other.Revision)
					}
				}
			}
			return ""
		},
	})
}

// RevisionsRise is the claim that each ControllerRevision that a DaemonSet gets
// or returns to has a higher number than all of its others.
func RevisionsRise(daemonSet types.UID) Judge {
	return Judge{Claim: "the numbers of the DaemonSet's ControllerRevisions rise", Find: func(h *history.History) []Violation {
		var violations []Violation
		highest := int64(0)
		known := map[types.UID]int64{}
		for change, state := range h.States() {
			for _, revision := range RevisionsOf(state, daemonSet) {
				if number, same := known[revision.UID]; same && number == revision.Revision {
					continue
				}
				if revision.Revision <= highest {
					violations = append(violations, Violation{At: change.At, Message: fmt.Sprintf("%s gets the number %d after %d", revision.Name, revision.Revision, highest)})
				}
				known[revision.UID], highest = revision.Revision, max(highest, revision.Revision)
			}
		}
		return violations
	}}
}

// RevisionsHoldTemplates is the condition that a DaemonSet has ControllerRevisions
// and each one holds a patch that replaces just the template, and carries its
// hash as a label.
func RevisionsHoldTemplates(daemonSet types.UID) Condition {
	return Condition{
		Claim: "each ControllerRevision of the DaemonSet carries a hash and holds a patch of spec.template",
		Lacks: func(state *history.State) string {
			revisions := RevisionsOf(state, daemonSet)
			if len(revisions) == 0 {
				return "it has none"
			}
			for _, revision := range revisions {
				if revision.Labels[appsv1.ControllerRevisionHashLabelKey] == "" {
					return revision.Name + " has no hash"
				}
				if !patchesTemplate(revision.Data.Raw) {
					return fmt.Sprintf("%s holds %s", revision.Name, revision.Data.Raw)
				}
			}
			return ""
		},
	}
}

func patchesTemplate(raw []byte) bool {
	var patch map[string]map[string]map[string]any
	if json.Unmarshal(raw, &patch) != nil || len(patch) != 1 || len(patch["spec"]) != 1 {
		return false
	}
	template := patch["spec"]["template"]
	return template["$patch"] == "replace" && template["spec"] != nil
}
