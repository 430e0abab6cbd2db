package cluster

import (
	"context"
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
)

// heldSince is a lock as another run left it.
func heldSince(holder string, renewed time.Duration) *coordinationv1.Lease {
	at := metav1.NewMicroTime(time.Now().Add(-renewed))
	return &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{Namespace: "rollcall", Name: lockName, Labels: Labels(holder)},
		Spec: coordinationv1.LeaseSpec{
			HolderIdentity: &holder, LeaseDurationSeconds: ptr.To(int32(60)), AcquireTime: &at, RenewTime: &at,
		},
	}
}

func userNamespace() *corev1.Namespace {
	return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "rollcall"}}
}

func holderOf(t *testing.T, connection *Connection) string {
	t.Helper()
	lease, err := connection.Client.CoordinationV1().Leases("rollcall").Get(t.Context(), lockName, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return ""
	}
	if err != nil {
		t.Fatal(err)
	}
	return *lease.Spec.HolderIdentity
}

func namespaceThere(t *testing.T, connection *Connection) bool {
	t.Helper()
	_, err := connection.Client.CoreV1().Namespaces().Get(t.Context(), "rollcall", metav1.GetOptions{})
	return err == nil
}

func TestLockMakesItsNamespaceAndRemovesIt(t *testing.T) {
	connection, _ := connectionTo()
	lock, err := connection.Acquire(t.Context(), "rollcall", "run1")
	if err != nil {
		t.Fatal(err)
	}
	if holder := holderOf(t, connection); holder != "run1" {
		t.Errorf("held by %q", holder)
	}
	if _, err := connection.Acquire(t.Context(), "rollcall", "run2"); err == nil {
		t.Error("two runs at a time")
	} else {
		wantEnvironment(t, err, "run run1 is under way")
	}
	if err := lock.Release(t.Context()); err != nil {
		t.Fatal(err)
	}
	if namespaceThere(t, connection) {
		t.Error("the namespace is still there")
	}
}

func TestLockLeavesTheUsersNamespace(t *testing.T) {
	connection, _ := connectionTo(userNamespace())
	lock, err := connection.Acquire(t.Context(), "rollcall", "run1")
	if err != nil {
		t.Fatal(err)
	}
	if err := lock.Release(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !namespaceThere(t, connection) || holderOf(t, connection) != "" {
		t.Error("the namespace is gone, or the lock is not")
	}
}

func TestLockLeavesAReport(t *testing.T) {
	connection, client := connectionTo()
	lock, err := connection.Acquire(t.Context(), "rollcall", "run1")
	if err != nil {
		t.Fatal(err)
	}
	kept := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "report", Labels: Labels("run1")}}
	if _, err := client.CoreV1().ConfigMaps("rollcall").Create(t.Context(), kept, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := lock.Release(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !namespaceThere(t, connection) {
		t.Error("the report is gone")
	}
}

func TestLockOfADeadRunIsTakenOver(t *testing.T) {
	for name, lease := range map[string]*coordinationv1.Lease{
		"expired":       heldSince("dead", 2*time.Minute),
		"given up":      heldSince("", time.Second),
		"of itself":     heldSince("run1", time.Second),
		"never renewed": {ObjectMeta: metav1.ObjectMeta{Namespace: "rollcall", Name: lockName}, Spec: coordinationv1.LeaseSpec{HolderIdentity: ptr.To("odd")}},
	} {
		t.Run(name, func(t *testing.T) {
			connection, _ := connectionTo(userNamespace(), lease)
			lock, err := connection.Acquire(t.Context(), "rollcall", "run1")
			if err != nil {
				t.Fatal(err)
			}
			defer lock.Release(t.Context())
			if holder := holderOf(t, connection); holder != "run1" {
				t.Errorf("held by %q", holder)
			}
		})
	}
}

func TestLiveLockRefusesASecondRun(t *testing.T) {
	connection, _ := connectionTo(userNamespace(), heldSince("other", 10*time.Second))
	_, err := connection.Acquire(t.Context(), "rollcall", "run1")
	wantEnvironment(t, err, "run other is under way in this cluster since 10s")
	wantEnvironment(t, connection.refuseSecond(t.Context(), "rollcall", "run1"), "run other")
	if err := connection.refuseSecond(t.Context(), "rollcall", "other"); err != nil {
		t.Errorf("a run is in its own way: %v", err)
	}
}

func TestRenewSeesThatTheLockIsLost(t *testing.T) {
	connection, client := connectionTo(userNamespace())
	lock := &Lock{Connection: connection, namespace: "rollcall", holder: "run1"}
	lease, err := lock.take(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if lease, err = lock.renew(t.Context(), lease); err != nil {
		t.Fatalf("a good renewal: %v", err)
	}
	if err := client.CoordinationV1().Leases("rollcall").Delete(t.Context(), lockName, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	_, err = lock.renew(t.Context(), lease)
	wantEnvironment(t, err, "the lock rollcall/rollcall is lost")
}

func TestReleaseOfALostLockLeavesItsNewHolderAlone(t *testing.T) {
	connection, client := connectionTo()
	lock, err := connection.Acquire(t.Context(), "rollcall", "run1")
	if err != nil {
		t.Fatal(err)
	}
	other := heldSince("other", time.Second)
	if _, err := client.CoordinationV1().Leases("rollcall").Update(t.Context(), other, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	wantEnvironment(t, lock.Release(context.Background()), "another run holds it")
	if holderOf(t, connection) != "other" || !namespaceThere(t, connection) {
		t.Error("the other run's lock is gone")
	}
}
