package judge

import (
	"errors"
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// Refused is the claim, about the error of an API call, that the API server
// found just this field of the object invalid.
type Refused struct{ Field string }

// RefusedAt returns the claim that an object was refused because of a field,
// such as spec.selector.
func RefusedAt(field string) Refused { return Refused{Field: field} }

// Match reports whether the error is such a refusal.
func (r Refused) Match(actual any) (bool, error) {
	err, isError := actual.(error)
	if actual != nil && !isError {
		return false, fmt.Errorf("only an error can be a refusal, not a %T", actual)
	}
	fields := invalidFields(err)
	return len(fields) == 1 && fields[0] == r.Field, nil
}

// invalidFields returns the fields that a refusal names, each once.
func invalidFields(err error) []string {
	var status apierrors.APIStatus
	if !apierrors.IsInvalid(err) || !errors.As(err, &status) || status.Status().Details == nil {
		return nil
	}
	var fields []string
	seen := map[string]bool{}
	for _, cause := range status.Status().Details.Causes {
		if !seen[cause.Field] {
			fields = append(fields, cause.Field)
		}
		seen[cause.Field] = true
	}
	return fields
}

// FailureMessage tells what happened instead.
func (r Refused) FailureMessage(actual any) string {
	happened := "the API server accepted it"
	if err, isError := actual.(error); isError {
		happened = err.Error()
		if fields := invalidFields(err); len(fields) > 0 {
			happened += "\nrefused fields: " + strings.Join(fields, ", ")
		}
	}
	return fmt.Sprintf("expected: the API server refuses the object because of %s\nhappened: %s", r.Field, happened)
}

// NegatedFailureMessage serves ShouldNot.
func (r Refused) NegatedFailureMessage(any) string {
	return "expected that the object is not refused because of " + r.Field
}
