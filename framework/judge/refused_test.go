package judge_test

import (
	"errors"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"rollcall.dev/rollcall/framework/judge"
)

func invalid(paths ...string) error {
	var list field.ErrorList
	for _, path := range paths {
		list = append(list, field.Invalid(field.NewPath(path), "x", "because"))
	}
	return apierrors.NewInvalid(schema.GroupKind{Group: "apps", Kind: "DaemonSet"}, "agent", list)
}

func TestRefusedAt(t *testing.T) {
	claim := judge.RefusedAt("spec.selector")

	holds(t, claim, invalid("spec.selector"))
	holds(t, claim, invalid("spec.selector", "spec.selector"))

	breaks(t, claim, nil, "the API server accepted it")
	breaks(t, claim, errors.New("no route to host"), "no route to host")
	breaks(t, claim, apierrors.NewForbidden(schema.GroupResource{}, "agent", errors.New("no right")), "no right")
	breaks(t, claim, invalid("spec.template"), "refused fields: spec.template")
	breaks(t, claim, invalid("spec.selector", "spec.template"), "refused fields: spec.selector, spec.template")

	if _, err := claim.Match("a text"); err == nil {
		t.Error("a text is no error and was taken for one")
	}
}
