package node

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
)

var bothLent = map[string]types.UID{"w1": "uid-of-w1", "w2": "uid-of-w2"}

func TestLoansOfOneRunShareTheNodes(t *testing.T) {
	hand, _ := handOn(worker("w1"), worker("w2"))
	first, second := borrow(t, hand), borrow(t, hand)
	if first.Node.Name == second.Node.Name {
		t.Fatalf("both hold %s", first.Node.Name)
	}
	waiting := make(chan *Loan)
	go func() {
		third, _ := hand.Borrow(t.Context(), bothLent, false)
		waiting <- third
	}()
	select {
	case third := <-waiting:
		t.Fatalf("%s was lent twice", third.Node.Name)
	case <-time.After(200 * time.Millisecond):
	}
	if err := second.Return(t.Context()); err != nil {
		t.Fatal(err)
	}
	if third := <-waiting; third.Node.Name != second.Node.Name {
		t.Errorf("the third holds %s", third.Node.Name)
	}
}

func borrow(t *testing.T, hand Hand) *Loan {
	t.Helper()
	loan, err := hand.Borrow(t.Context(), bothLent, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = loan.Return(context.Background()) })
	return loan
}

func TestTheLeaseOfADeadHolderExpires(t *testing.T) {
	hand, _ := handOn(worker("w1"), worker("w2"))
	dead := &Loan{Hand: hand, holder: "dead"}
	if lease, err := dead.take(t.Context(), "w1", nil); lease == nil || err != nil {
		t.Fatalf("lease %v, error %v", lease, err)
	}
	heir, seen := &Loan{Hand: hand, holder: "heir"}, map[string]sighting{}
	if lease, err := heir.take(t.Context(), "w1", seen); lease != nil || err != nil {
		t.Fatalf("taken from the living: %v, error %v", lease, err)
	}
	seen["w1"] = sighting{seen["w1"].version, time.Now().Add(-loanDuration)}
	lease, err := heir.take(t.Context(), "w1", seen)
	if err != nil || lease == nil || ptr.Deref(lease.Spec.HolderIdentity, "") != "heir" {
		t.Errorf("lease %v, error %v", lease, err)
	}
}

func TestNodesThatMustNotBeDisturbedAreRefused(t *testing.T) {
	notReady := func(node *corev1.Node) { node.Status.Conditions = nil }
	for want, node := range map[string]*corev1.Node{
		"cordoned already":         worker("w1", isCordoned),
		"taint theirs":             worker("w1", isTainted("theirs")),
		"not Ready":                worker("w1", notReady),
		"another machine":          worker("w1", func(node *corev1.Node) { node.UID = "another" }),
		"is gone":                  worker("w9"),
		"would be evicted: app/db": worker("w1", func(node *corev1.Node) { node.Labels["guest"] = "app/db" }),
	} {
		t.Run(want, func(t *testing.T) {
			hand, _ := handOn(node, placed("app", "db", node.Name), placed("own", "fixture", node.Name), namespaceOf("own"), daemon(node.Name))
			if node.Labels["guest"] == "" {
				_ = hand.Client.CoreV1().Pods("app").Delete(t.Context(), "db", metav1.DeleteOptions{})
			}
			_, err := hand.Borrow(t.Context(), map[string]types.UID{"w1": "uid-of-w1"}, false)
			var refused *RefusedError
			if !errors.As(err, &refused) || !strings.Contains(err.Error(), want) {
				t.Errorf("error %v", err)
			}
			leases, _ := hand.Client.CoordinationV1().Leases(home).List(t.Context(), metav1.ListOptions{})
			if len(leases.Items) > 0 {
				t.Error("the Lease of a node that was refused stays")
			}
		})
	}
}

// What a taint of rollcall's would evict is a guest, also where a drain would leave it.
func TestADaemonThatDoesNotTolerateEveryTaintIsAGuest(t *testing.T) {
	for _, test := range []struct {
		name       string
		toleration corev1.Toleration
		guest      bool
	}{
		{"everything", corev1.Toleration{Operator: corev1.TolerationOpExists}, false},
		{"every NoExecute", corev1.Toleration{Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute}, false},
		{"every NoSchedule", corev1.Toleration{Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoSchedule}, true},
		{"one key", corev1.Toleration{Key: "theirs", Operator: corev1.TolerationOpExists}, true},
		{"for a while", corev1.Toleration{Operator: corev1.TolerationOpExists, TolerationSeconds: ptr.To[int64](60)}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			pod := daemon("w1")
			pod.Spec.Tolerations = []corev1.Toleration{test.toleration}
			hand, _ := handOn(worker("w1"), pod)
			guests, err := Guests(t.Context(), hand.Client, "w1")
			if err != nil || (len(guests) == 1) != test.guest {
				t.Errorf("guests %v, error %v", guests, err)
			}
		})
	}
}

func TestGuestsDoNotMatterWhereTheyMayBeEvicted(t *testing.T) {
	hand, _ := handOn(worker("w1"), placed("app", "db", "w1"))
	loan, err := hand.Borrow(t.Context(), map[string]types.UID{"w1": "uid-of-w1"}, true)
	if err != nil {
		t.Fatal(err)
	}
	if err := loan.Return(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestALoanGoesWithItsRun(t *testing.T) {
	hand, _ := handOn(worker("w1"))
	dead := &Loan{Hand: hand, holder: "dead"}
	if _, err := dead.take(t.Context(), "w1", nil); err != nil {
		t.Fatal(err)
	}
	if _, err := Undo(t.Context(), hand.Client, home, "run1"); err != nil {
		t.Fatal(err)
	}
	leases, _ := hand.Client.CoordinationV1().Leases(home).List(t.Context(), metav1.ListOptions{})
	if len(leases.Items) > 0 {
		t.Errorf("left: %v", leases.Items)
	}
}

func TestALeaseNameIsNeverTooLong(t *testing.T) {
	if name := leaseName(strings.Repeat("n", 253)); len(name) != 253 {
		t.Errorf("%d characters", len(name))
	}
}

func placed(namespace, name, node string) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}, Spec: corev1.PodSpec{NodeName: node}}
}

func daemon(node string) *corev1.Pod {
	pod := placed("kube-system", "proxy", node)
	pod.OwnerReferences = []metav1.OwnerReference{{Kind: "DaemonSet", Name: "proxy", Controller: ptr.To(true)}}
	pod.Spec.Tolerations = []corev1.Toleration{{Operator: corev1.TolerationOpExists}}
	return pod
}

func namespaceOf(name string) *corev1.Namespace {
	return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"rollcall.dev/run": "run1"}}}
}
