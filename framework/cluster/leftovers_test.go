package cluster

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clienttesting "k8s.io/client-go/testing"
)

func left(name, run string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Name: name, Labels: Labels(run)}
}

func leftBehind() []runtime.Object {
	own := left("rollcall", "job-1")
	role := left("rollcall", "job-1")
	role.Namespace = "kube-node-lease"
	return []runtime.Object{
		&corev1.Namespace{ObjectMeta: own},
		&corev1.Namespace{ObjectMeta: left("rollcall-a", "dead")},
		&corev1.Namespace{ObjectMeta: left("rollcall-b", "live")},
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "of-a-user"}},
		&rbacv1.ClusterRole{ObjectMeta: left("rollcall", "job-1")},
		&rbacv1.Role{ObjectMeta: role},
	}
}

func names(found []Leftover) []string {
	var list []string
	for _, one := range found {
		list = append(list, one.String())
	}
	return list
}

func TestLeftovers(t *testing.T) {
	connection, _ := connectionTo(leftBehind()...)
	found, err := connection.Leftovers(t.Context(), "rollcall")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"Namespace rollcall of run job-1", "Namespace rollcall-a of run dead", "Namespace rollcall-b of run live",
		"ClusterRole rollcall of run job-1", "Role kube-node-lease/rollcall of run job-1",
	}
	if diff := cmp.Diff(want, names(found)); diff != "" {
		t.Error(diff)
	}
}

func TestLeftoversLeaveALiveRunAndItsJobAlone(t *testing.T) {
	connection, _ := connectionTo(append(leftBehind(), heldSince("live", time.Second))...)
	found, err := connection.Leftovers(t.Context(), "rollcall")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"Namespace rollcall-a of run dead"}, names(found)); diff != "" {
		t.Error(diff)
	}
}

func TestCleanupNamesARunThatHoldsTheLock(t *testing.T) {
	connection, _ := connectionTo(append(leftBehind(), heldSince("live", time.Second))...)
	var told []string
	if err := connection.Cleanup(t.Context(), "rollcall", time.Minute, func(line string) { told = append(told, line) }); err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(told, func(line string) bool {
		return strings.HasPrefix(line, "left alone, since it holds the lock: run live")
	}) {
		t.Errorf("told %q", told)
	}
}

func TestLeftoversLeaveAPreflightAlone(t *testing.T) {
	young, old := left(scratchPrefix+"a", "run1"), left(scratchPrefix+"b", "dead")
	young.CreationTimestamp = metav1.Now()
	old.CreationTimestamp = metav1.NewTime(time.Now().Add(-time.Hour))
	connection, _ := connectionTo(&corev1.Namespace{ObjectMeta: young}, &corev1.Namespace{ObjectMeta: old})
	found, err := connection.Leftovers(t.Context(), "rollcall")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"Namespace rollcall-preflight-b of run dead"}, names(found)); diff != "" {
		t.Error(diff)
	}
}

func TestCleanup(t *testing.T) {
	connection, _ := connectionTo(leftBehind()...)
	var told []string
	err := connection.Cleanup(t.Context(), "rollcall", time.Minute, func(line string) { told = append(told, line) })
	if err != nil {
		t.Fatal(err)
	}
	if found, _ := connection.Leftovers(t.Context(), "rollcall"); len(found) > 0 {
		t.Errorf("still there: %v", names(found))
	}
	if _, err := connection.Client.CoreV1().Namespaces().Get(t.Context(), "of-a-user", metav1.GetOptions{}); err != nil {
		t.Errorf("it took what was not its own: %v", err)
	}
	if len(told) != 5+3 {
		t.Errorf("told %q", told)
	}
}

func TestCleanupNamesWhatStays(t *testing.T) {
	stuck := &corev1.Namespace{ObjectMeta: left("rollcall-a", "dead"), Status: corev1.NamespaceStatus{
		Conditions: []corev1.NamespaceCondition{{
			Type: corev1.NamespaceFinalizersRemaining, Status: corev1.ConditionTrue, Message: "a finalizer stays",
		}},
	}}
	connection, client := connectionTo(stuck)
	client.PrependReactor("delete", "namespaces", func(clienttesting.Action) (bool, runtime.Object, error) {
		return true, nil, nil
	})
	err := connection.Cleanup(t.Context(), "rollcall", time.Second, func(string) {})
	var stays *StaysError
	if !errors.As(err, &stays) {
		t.Fatalf("got %v", err)
	}
	wantLine(t, stays.Error(), "rollcall-a", "a finalizer stays")
}
