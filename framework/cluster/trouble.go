package cluster

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"

	authorizationv1 "k8s.io/api/authorization/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"rollcall.dev/rollcall/framework/exit"
)

// environment turns an error of a call into an exit.EnvironmentError of one
// line: what was being done, and the cause in its shortest true form. An
// interruption stays what it is.
func environment(err error, format string, args ...any) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return exit.Environmentf("%s: %s", fmt.Sprintf(format, args...), cause(err))
}

// cause strips the layers that name our own request, which the user did not make.
func cause(err error) string {
	var (
		transport *url.Error
		dial      *net.OpError
	)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "no answer in time"
	case apierrors.IsUnauthorized(err):
		return "the credentials are not accepted (401 Unauthorized)"
	case errors.As(err, &dial):
		return dial.Err.Error()
	case errors.As(err, &transport):
		return transport.Err.Error()
	default:
		return strings.Join(strings.Fields(err.Error()), " ")
	}
}

// attributes is a question in the form that the API server takes it.
func attributes(ask Denied) *authorizationv1.ResourceAttributes {
	resource, subresource, _ := strings.Cut(ask.Resource, "/")
	return &authorizationv1.ResourceAttributes{
		Verb: ask.Verb, Group: ask.Group, Resource: resource, Subresource: subresource,
		Namespace: ask.Namespace, Name: ask.Name,
	}
}

// firstOf puts a list into one line: the first few in full, of the rest only how
// many there are.
func firstOf(list []string) string {
	const named = 3
	if more := len(list) - named; more > 0 {
		return fmt.Sprintf("%s, and %d more", strings.Join(list[:named], ", "), more)
	}
	return strings.Join(list, ", ")
}
