package node

import (
	"errors"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/sets"
	clienttesting "k8s.io/client-go/testing"
)

var evict = corev1.Taint{Key: "rollcall.dev/test", Value: "x", Effect: corev1.TaintEffectNoExecute}

func TestEveryChangeIsUndoneFromTheJournal(t *testing.T) {
	for name, change := range map[string]Change{
		"label": Label("new", "1"), "label of somebody": Label("zone", "b"), "no label": Unlabel("zone"),
		"taint": Taint(evict), "cordon": Cordon(),
	} {
		t.Run(name, func(t *testing.T) {
			hand, _ := handOn(worker("w1", isTainted("other")))
			before := Take(getNode(t, hand, "w1"))
			if _, err := hand.Set(t.Context(), "w1", "uid-of-w1", change); err != nil {
				t.Fatal(err)
			}
			if len(before.Differences(Take(getNode(t, hand, "w1")))) != 1 {
				t.Error("the change did not show as one difference")
			}
			if _, err := Undo(t.Context(), hand.Client, home, "run1"); err != nil {
				t.Fatal(err)
			}
			if differences := before.Differences(Take(getNode(t, hand, "w1"))); len(differences) > 0 {
				t.Errorf("left behind: %v", differences)
			}
			if left := records(t, hand); len(left) > 0 {
				t.Errorf("records left: %v", left)
			}
		})
	}
}

func TestTheRecordIsWrittenBeforeTheNodeIsTouched(t *testing.T) {
	hand, client := handOn(worker("w1"))
	client.PrependReactor("create", "configmaps", func(clienttesting.Action) (bool, runtime.Object, error) {
		return true, nil, errors.New("no room")
	})
	_, err := hand.Set(t.Context(), "w1", "uid-of-w1", Cordon())
	if err == nil || !strings.Contains(err.Error(), "journal") {
		t.Errorf("error %v", err)
	}
	if getNode(t, hand, "w1").Spec.Unschedulable {
		t.Error("the node was touched without a record")
	}
}

// A crash between the record and the patch leaves a record of what never was.
func TestARecordWithoutItsChangeIsDropped(t *testing.T) {
	hand, _ := handOn(worker("w1"))
	if _, err := hand.Foresee(t.Context(), "w1", "uid-of-w1", Taint(evict)); err != nil {
		t.Fatal(err)
	}
	told, err := Undo(t.Context(), hand.Client, home, "")
	if err != nil || len(told) != 1 || !strings.Contains(told[0], "is what it was") {
		t.Errorf("told %q, error %v", told, err)
	}
	if left := records(t, hand); len(left) > 0 {
		t.Errorf("records left: %v", left)
	}
}

// A crash between the undo and the removal of its record is mended by the next.
func TestAnUndoThatDiedIsRepeated(t *testing.T) {
	hand, client := handOn(worker("w1"))
	if _, err := hand.Set(t.Context(), "w1", "uid-of-w1", Cordon()); err != nil {
		t.Fatal(err)
	}
	broken := true
	client.PrependReactor("delete", "configmaps", func(clienttesting.Action) (bool, runtime.Object, error) {
		return broken, nil, errors.New("the process died")
	})
	if _, err := Undo(t.Context(), hand.Client, home, ""); err == nil || len(records(t, hand)) != 1 {
		t.Fatalf("error %v, records %v", err, records(t, hand))
	}
	broken = false
	if _, err := Undo(t.Context(), hand.Client, home, ""); err != nil || len(records(t, hand)) != 0 {
		t.Errorf("error %v, records %v", err, records(t, hand))
	}
	if getNode(t, hand, "w1").Spec.Unschedulable {
		t.Error("still cordoned")
	}
}

func TestWhatSomebodyElseChangedSinceIsLeftAlone(t *testing.T) {
	hand, _ := handOn(worker("w1"))
	record, err := hand.Set(t.Context(), "w1", "uid-of-w1", Label("zone", "b"))
	if err != nil {
		t.Fatal(err)
	}
	edit(t, hand, "w1", func(node *corev1.Node) { node.Labels["zone"] = "theirs" })
	outcome, err := record.Undo(t.Context(), hand.Client)
	if err != nil || !outcome.Left || !strings.Contains(outcome.Text, `"theirs"`) {
		t.Errorf("outcome %+v, error %v", outcome, err)
	}
	if zone := getNode(t, hand, "w1").Labels["zone"]; zone != "theirs" {
		t.Errorf("zone is %s", zone)
	}
	if left := records(t, hand); len(left) > 0 {
		t.Errorf("records left: %v", left)
	}
}

func TestAnUndoKeepsWhatOthersAdded(t *testing.T) {
	hand, _ := handOn(worker("w1"))
	if _, err := hand.Set(t.Context(), "w1", "uid-of-w1", Taint(evict)); err != nil {
		t.Fatal(err)
	}
	edit(t, hand, "w1", isTainted("theirs"))
	if _, err := Undo(t.Context(), hand.Client, home, "run1"); err != nil {
		t.Fatal(err)
	}
	taints := getNode(t, hand, "w1").Spec.Taints
	if len(taints) != 1 || taints[0].Key != "theirs" {
		t.Errorf("taints %v", taints)
	}
}

func TestAPatchNeverOverwritesAConcurrentWriter(t *testing.T) {
	hand, client := handOn(worker("w1"))
	refusals := 0
	client.PrependReactor("patch", "nodes", func(action clienttesting.Action) (bool, runtime.Object, error) {
		patch := string(action.(clienttesting.PatchAction).GetPatch())
		if !strings.Contains(patch, `"resourceVersion":`) || !strings.Contains(patch, `"uid":"uid-of-w1"`) {
			t.Errorf("the patch %s names no version", patch)
		}
		if refusals++; refusals > 1 {
			return false, nil, nil
		}
		// A reactor must not call the client, which waits for it.
		if err := client.Tracker().Update(corev1.SchemeGroupVersion.WithResource("nodes"), worker("w1", isTainted("theirs")), ""); err != nil {
			t.Error(err)
		}
		return true, nil, apierrors.NewConflict(corev1.Resource("nodes"), "w1", errors.New("changed"))
	})
	if _, err := hand.Set(t.Context(), "w1", "uid-of-w1", Taint(evict)); err != nil {
		t.Fatal(err)
	}
	if taints := getNode(t, hand, "w1").Spec.Taints; len(taints) != 2 {
		t.Errorf("taints %v", taints)
	}
}

func TestAnotherMachineOfTheSameNameIsNotTouched(t *testing.T) {
	hand, client := handOn(worker("w1"))
	if _, err := hand.Set(t.Context(), "w1", "uid-of-w1", Cordon()); err != nil {
		t.Fatal(err)
	}
	nodes := client.CoreV1().Nodes()
	if err := nodes.Delete(t.Context(), "w1", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	other := worker("w1", isCordoned)
	other.UID = "another"
	if _, err := nodes.Create(t.Context(), other, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	told, err := Undo(t.Context(), client, home, "run1")
	if err != nil || len(told) != 1 || !strings.Contains(told[0], "another machine") {
		t.Errorf("told %q, error %v", told, err)
	}
	if !getNode(t, hand, "w1").Spec.Unschedulable {
		t.Error("a cordon of somebody else's was undone")
	}
	if _, err := hand.Set(t.Context(), "w1", "uid-of-w1", Cordon()); err == nil {
		t.Error("another machine was taken for the lent one")
	}
}

func TestANodeThatIsGoneHasNothingToUndo(t *testing.T) {
	hand, client := handOn(worker("w1"))
	if _, err := hand.Set(t.Context(), "w1", "uid-of-w1", Cordon()); err != nil {
		t.Fatal(err)
	}
	if err := client.CoreV1().Nodes().Delete(t.Context(), "w1", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := Undo(t.Context(), client, home, ""); err != nil || len(records(t, hand)) != 0 {
		t.Errorf("error %v, records %v", err, records(t, hand))
	}
}

func TestSeveralChangesOfOneThingAreUndoneInReverse(t *testing.T) {
	hand, _ := handOn(worker("w1"))
	for _, value := range []string{"b", "c"} {
		if _, err := hand.Set(t.Context(), "w1", "uid-of-w1", Label("zone", value)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Undo(t.Context(), hand.Client, home, ""); err != nil {
		t.Fatal(err)
	}
	if zone := getNode(t, hand, "w1").Labels["zone"]; zone != "a" {
		t.Errorf("zone is %s", zone)
	}
}

func TestARunThatIsUnderWayIsLeftAlone(t *testing.T) {
	hand, _ := handOn(worker("w1"), worker("w2"))
	dead := Hand{hand.Client, home, "run0"}
	for name, each := range map[string]Hand{"w1": hand, "w2": dead} {
		if _, err := each.Set(t.Context(), name, getNode(t, hand, name).UID, Cordon()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := undo(t.Context(), hand.Client, home, "", sets.New("run1")); err != nil {
		t.Fatal(err)
	}
	if !getNode(t, hand, "w1").Spec.Unschedulable || getNode(t, hand, "w2").Spec.Unschedulable {
		t.Error("the wrong run's changes were undone")
	}
	if left := records(t, hand); len(left) != 1 || left[0].Run != "run1" {
		t.Errorf("records left: %v", left)
	}
}
