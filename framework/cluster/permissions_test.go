package cluster

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	authorizationv1 "k8s.io/api/authorization/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clienttesting "k8s.io/client-go/testing"

	"rollcall.dev/rollcall/framework/requirement"
)

func ask(level requirement.Level) []Denied {
	return Questions(Grants(Needs{Level: level, Namespace: "rollcall", PullSecret: "registry"}))
}

func TestEachLevelHoldsTheOneBelow(t *testing.T) {
	for i := 1; i < len(requirement.Levels); i++ {
		lower, higher := requirement.Levels[i-1], requirement.Levels[i]
		for _, right := range ask(lower) {
			if !slices.Contains(ask(higher), right) {
				t.Errorf("level %s may do what level %s may not: %s", lower, higher, right)
			}
		}
	}
}

func TestNoRightIsTooWide(t *testing.T) {
	forbidden := []string{"*", "escalate", "bind", "impersonate", "deletecollection", "approve"}
	for _, right := range ask(requirement.Outage) {
		if slices.Contains(forbidden, right.Verb) || right.Resource == "*" || right.Group == "*" {
			t.Errorf("%+v", right)
		}
		if right.Resource == "secrets" && right.Verb != "create" && right.Name == "" {
			t.Errorf("it reads any secret: %+v", right)
		}
	}
}

func TestNoRightIsThereTwice(t *testing.T) {
	for _, level := range requirement.Levels {
		seen := map[Denied]bool{}
		for _, right := range ask(level) {
			if seen[right] {
				t.Errorf("level %s: %s is there twice", level, right)
			}
			seen[right] = true
		}
	}
}

func TestDeniedReads(t *testing.T) {
	for want, denied := range map[string]Denied{
		"cannot create daemonsets.apps in all namespaces":                    {Verb: "create", Group: "apps", Resource: "daemonsets"},
		"cannot list nodes in the cluster":                                   {Verb: "list", Resource: "nodes"},
		"cannot update leases.coordination.k8s.io in the namespace rollcall": {Verb: "update", Group: "coordination.k8s.io", Resource: "leases", Namespace: "rollcall"},
		"cannot get secrets registry in the namespace rollcall":              {Verb: "get", Resource: "secrets", Name: "registry", Namespace: "rollcall"},
	} {
		if got := denied.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// authorizer answers reviews in place of the API server.
func authorizer(t *testing.T, allowed func(authorizationv1.ResourceAttributes) bool) *Connection {
	t.Helper()
	connection, client := connectionTo()
	client.PrependReactor("create", "selfsubjectaccessreviews", func(action clienttesting.Action) (bool, runtime.Object, error) {
		review := action.(clienttesting.CreateAction).GetObject().(*authorizationv1.SelfSubjectAccessReview).DeepCopy()
		review.Status.Allowed = allowed(*review.Spec.ResourceAttributes)
		return true, review, nil
	})
	return connection
}

func TestMissing(t *testing.T) {
	connection := authorizer(t, func(asked authorizationv1.ResourceAttributes) bool {
		return asked.Verb != "*" && asked.Resource != "daemonsets" && asked.Subresource != "ephemeralcontainers"
	})
	missing, err := connection.Missing(t.Context(), Needs{Level: requirement.API, Namespace: "rollcall"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, denied := range missing {
		got = append(got, denied.Verb+" "+denied.Resource)
	}
	want := []string{
		"create daemonsets", "delete daemonsets", "get daemonsets", "list daemonsets", "patch daemonsets",
		"patch pods/ephemeralcontainers", "update daemonsets", "update pods/ephemeralcontainers", "watch daemonsets",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestNothingIsMissingToAnAdministrator(t *testing.T) {
	asked := 0
	connection := authorizer(t, func(authorizationv1.ResourceAttributes) bool { asked++; return true })
	missing, err := connection.Missing(t.Context(), Needs{Level: requirement.Outage, Namespace: "rollcall"})
	if err != nil || len(missing) != 0 || asked != 1 {
		t.Errorf("missing %v, error %v, after %d questions", missing, err, asked)
	}
}
