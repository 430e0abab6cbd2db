package judge_test

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"

	"rollcall.dev/rollcall/framework/judge"
)

const holdsTemplate = `{"spec":{"template":{"$patch":"replace","spec":{"containers":[]}}}}`

// kept is a ControllerRevision of the agent.
func kept(name string, number int64, changes ...func(*appsv1.ControllerRevision)) *appsv1.ControllerRevision {
	r := &appsv1.ControllerRevision{
		ObjectMeta: metav1.ObjectMeta{
			Name: name, UID: types.UID("uid-" + name), Labels: map[string]string{appsv1.ControllerRevisionHashLabelKey: name},
			OwnerReferences: []metav1.OwnerReference{{Name: "agent", UID: agentUID, Controller: ptr.To(true)}},
		},
		Data:     runtime.RawExtension{Raw: []byte(`{"spec":{"template":{"$patch":"replace","spec":{"hostname":"` + name + `"}}}}`)},
		Revision: number,
	}
	for _, change := range changes {
		change(r)
	}
	return r
}

func holding(raw string) func(*appsv1.ControllerRevision) {
	return func(r *appsv1.ControllerRevision) { r.Data.Raw = []byte(raw) }
}

func TestRevisionsAre(t *testing.T) {
	foreign := kept("other", 7, func(r *appsv1.ControllerRevision) { r.OwnerReferences = nil })
	h := tell(added(kept("y", 2)), added(kept("x", 1)), added(foreign))
	holds(t, judge.RevisionsAre(agentUID, 1, 2), h)
	breaks(t, judge.RevisionsAre(agentUID, 1), h, "it has [1 2]")
	breaks(t, judge.RevisionsAre(agentUID, 1, 2, 3), h, "it has [1 2]")
}

func TestRevisionsDiffer(t *testing.T) {
	claim := judge.RevisionsDiffer(agentUID)
	x := kept("x", 1)
	holds(t, claim, tell(added(x), added(kept("y", 2)), removed(x)))
	breaks(t, claim, tell(added(x), added(kept("y", 1))), "x (number 1) and y (number 1)")
	breaks(t, claim, tell(added(x), added(kept("y", 2, holding(string(x.Data.Raw))))), "x (number 1) and y (number 2)")
}

func TestRevisionsRise(t *testing.T) {
	claim := judge.RevisionsRise(agentUID)
	holds(t, claim, tell(added(kept("x", 1)), added(kept("y", 2)), changed(kept("x", 3)), removed(kept("y", 2)), changed(kept("x", 3))))
	breaks(t, claim, tell(added(kept("x", 3)), added(kept("y", 2))), "y gets the number 2 after 3")
	breaks(t, claim, tell(added(kept("x", 1)), added(kept("y", 2)), changed(kept("x", 2))), "x gets the number 2 after 2")
	breaks(t, claim, tell(added(kept("x", 2)), changed(kept("x", 1))), "x gets the number 1 after 2")
}

func TestRevisionsHoldTemplates(t *testing.T) {
	claim := judge.RevisionsHoldTemplates(agentUID)
	holds(t, claim, tell(added(kept("x", 1)), added(kept("y", 2, holding(holdsTemplate)))))
	breaks(t, claim, tell(added(agent())), "it has none")
	breaks(t, claim, tell(added(kept("x", 1, func(r *appsv1.ControllerRevision) { r.Labels = nil }))), "x has no hash")
	for _, raw := range []string{`{}`, `nonsense`, `{"spec":{"template":{"spec":{}}}}`, `{"spec":{"template":{"$patch":"replace"}}}`, `{"spec":{"template":{"$patch":"replace","spec":{}},"minReadySeconds":{}}}`} {
		breaks(t, claim, tell(added(kept("x", 1, holding(raw)))), "x holds "+raw)
	}
}
