package cluster

import (
	"errors"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/client-go/kubernetes/fake"

	"rollcall.dev/rollcall/framework/exit"
)

// connectionTo makes a connection to a fake cluster that holds the objects.
func connectionTo(objects ...runtime.Object) (*Connection, *fake.Clientset) {
	client := fake.NewClientset(objects...)
	return &Connection{Client: client, Server: "https://fake"}, client
}

// worker is a Ready node that takes any Pod.
func worker(name string, changes ...func(*corev1.Node)) *corev1.Node {
	node := &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{
			Name: name, UID: types.UID("uid-of-" + name),
			Labels: map[string]string{corev1.LabelOSStable: "linux"},
		},
		Status: corev1.NodeStatus{Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}},
	}
	for _, change := range changes {
		change(node)
	}
	return node
}

func labelled(key, value string) func(*corev1.Node) {
	return func(n *corev1.Node) { n.Labels[key] = value }
}

func tainted(key string, effect corev1.TaintEffect) func(*corev1.Node) {
	return func(n *corev1.Node) { n.Spec.Taints = append(n.Spec.Taints, corev1.Taint{Key: key, Effect: effect}) }
}

func notReady(n *corev1.Node) { n.Status.Conditions[0].Status = corev1.ConditionUnknown }

// factsOf is what Describe would say of the nodes.
func factsOf(nodes ...*corev1.Node) *Facts {
	facts := &Facts{Version: version.MustParseGeneric("1.37.2"), GitVersion: "v1.37.2", Roster: Roster{}}
	var items []corev1.Node
	for _, node := range nodes {
		items = append(items, *node)
	}
	selector, _ := LentSelector("")
	facts.addNodes(items, selector)
	return facts
}

func wantUsage(t *testing.T, err error, parts ...string) {
	t.Helper()
	var usage *exit.UsageError
	if !errors.As(err, &usage) {
		t.Fatalf("got %v, want a usage error", err)
	}
	wantLine(t, err.Error(), parts...)
}

func wantEnvironment(t *testing.T, err error, parts ...string) {
	t.Helper()
	var environment *exit.EnvironmentError
	if !errors.As(err, &environment) {
		t.Fatalf("got %v, want an environment error", err)
	}
	wantLine(t, err.Error(), parts...)
}

func wantLine(t *testing.T, line string, parts ...string) {
	t.Helper()
	if strings.Contains(line, "\n") {
		t.Errorf("more than one line: %q", line)
	}
	for _, part := range parts {
		if !strings.Contains(line, part) {
			t.Errorf("%q does not say %q", line, part)
		}
	}
}
