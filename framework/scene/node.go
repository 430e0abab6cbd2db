package scene

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/onsi/ginkgo/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/node"
)

// disturbed is a node that this spec may act on, and what it did to it.
type disturbed struct {
	uid types.UID
	// before is what the node looked like; nil for a simulated one, which is
	// removed and not restored.
	before node.Fingerprint
	// open are the records of changes that are not undone yet.
	open []node.Record
	// touched are the names of all changes that the spec made.
	touched map[string]bool
	// left says that somebody else changed the same things meanwhile.
	left bool
	// away says that the spec took the node away for a while, so that its coming
	// and going is no surprise.
	away bool
}

// LendNode takes a lent node for this spec, and gives it back as it was when the
// spec ends: a node that is not is a failure. Without one that may be used, the
// spec is skipped.
func (s *Scene) LendNode(ctx context.Context) *corev1.Node {
	ginkgo.GinkgoHelper()
	s.announce("waiting for a lent node")
	limited, cancel := context.WithTimeout(ctx, s.Longest(limit.Loan))
	defer cancel()
	loan, err := s.hand().Borrow(limited, s.Lent, s.EvictOthers)
	if refused := (*node.RefusedError)(nil); errors.As(err, &refused) {
		ginkgo.Skip(err.Error())
	}
	Must(err)
	ginkgo.DeferCleanup(func(ctx context.Context) { s.giveBack(ctx, loan) })
	s.admit(loan.Node, node.Take(loan.Node))
	s.History.Mark("borrow node " + loan.Node.Name)
	return loan.Node
}

func (s *Scene) hand() node.Hand {
	return node.Hand{Client: s.Client, Namespace: s.Home, Run: s.RunID}
}

func (s *Scene) admit(object *corev1.Node, before node.Fingerprint) {
	if s.nodes == nil {
		s.nodes = map[string]*disturbed{}
	}
	s.nodes[object.Name] = &disturbed{uid: object.UID, before: before, touched: map[string]bool{}}
}

// own returns a node that this spec may act on; any other fails the spec.
func (s *Scene) own(name string) *disturbed {
	ginkgo.GinkgoHelper()
	if s.nodes[name] == nil {
		ginkgo.Fail("rollcall itself failed: node " + name + " was not lent to this spec")
	}
	return s.nodes[name]
}

// Taint sets a taint of a node.
func (s *Scene) Taint(ctx context.Context, name string, taint corev1.Taint) {
	ginkgo.GinkgoHelper()
	if taint.Effect == corev1.TaintEffectNoExecute {
		s.mustCarryNoGuests(ctx, name)
	}
	s.set(ctx, name, node.Taint(taint), "taint node "+name+" with "+taint.ToString())
}

// Untaint takes a taint off a node that Taint has set.
func (s *Scene) Untaint(ctx context.Context, name string, taint corev1.Taint) {
	ginkgo.GinkgoHelper()
	s.unset(ctx, name, node.Taint(taint), "take the taint "+taint.ToString()+" off node "+name)
}

// Label sets a label of a node.
func (s *Scene) Label(ctx context.Context, name, key, value string) {
	ginkgo.GinkgoHelper()
	s.set(ctx, name, node.Label(key, value), fmt.Sprintf("label node %s with %s=%s", name, key, value))
}

// Unlabel puts a label of a node back to what it was before Label.
func (s *Scene) Unlabel(ctx context.Context, name, key string) {
	ginkgo.GinkgoHelper()
	s.unset(ctx, name, node.Label(key, ""), "put label "+key+" of node "+name+" back")
}

// Cordon marks a node as unschedulable.
func (s *Scene) Cordon(ctx context.Context, name string) {
	ginkgo.GinkgoHelper()
	s.set(ctx, name, node.Cordon(), "cordon node "+name)
}

// Uncordon lets a node take Pods again that Cordon or Drain has cordoned.
func (s *Scene) Uncordon(ctx context.Context, name string) {
	ginkgo.GinkgoHelper()
	s.unset(ctx, name, node.Cordon(), "uncordon node "+name)
}

// mustCarryNoGuests skips the spec where other people's Pods have come to a lent node
// since it was borrowed, and are about to be evicted.
func (s *Scene) mustCarryNoGuests(ctx context.Context, name string) {
	ginkgo.GinkgoHelper()
	if s.nodes[name] == nil || s.simulated(name) {
		return
	}
	why, err := node.Burden(ctx, s.Client, name, s.EvictOthers)
	Must(err)
	if why != "" {
		ginkgo.Skip("node " + name + " has changed since it was borrowed: " + why)
	}
}

func (s *Scene) set(ctx context.Context, name string, change node.Change, mark string) {
	ginkgo.GinkgoHelper()
	mine := s.own(name)
	mine.touched[change.String()] = true
	s.History.Mark(mark)
	record, err := s.hand().Set(ctx, name, mine.uid, change)
	mine.open = append(mine.open, record)
	Must(err)
	s.CatchUp(ctx, history.Node)
}

func (s *Scene) unset(ctx context.Context, name string, change node.Change, mark string) {
	ginkgo.GinkgoHelper()
	mine := s.own(name)
	s.History.Mark(mark)
	for i, record := range slices.Backward(mine.open) {
		if record.Change.String() == change.String() {
			Must(mine.undo(ctx, s.hand(), record))
			mine.open = slices.Delete(mine.open, i, i+1)
		}
	}
	s.CatchUp(ctx, history.Node)
}

func (d *disturbed) undo(ctx context.Context, hand node.Hand, record node.Record) error {
	outcome, err := record.Undo(ctx, hand.Client)
	if outcome.Left {
		d.left = true
		Doubt("%s", outcome.Text)
	}
	return err
}

// undoAll undoes every change of the spec, the last one first.
func (d *disturbed) undoAll(ctx context.Context, hand node.Hand) error {
	var faults []error
	for _, record := range slices.Backward(d.open) {
		faults = append(faults, d.undo(ctx, hand, record))
	}
	return errors.Join(faults...)
}

// giveBack ends a loan: the node must be what it was.
func (s *Scene) giveBack(ctx context.Context, loan *node.Loan) {
	ginkgo.GinkgoHelper()
	mine := s.nodes[loan.Node.Name]
	undone := mine.undoAll(ctx, s.hand())
	changed := s.awaitRestored(ctx, loan.Node.Name)
	returned := loan.Return(ctx)
	select {
	case err := <-loan.Lost():
		Doubt("%v", err)
	default:
	}
	Must(errors.Join(undone, returned))
	if changed != "" {
		ginkgo.Fail(changed)
	}
}

// awaitRestored waits until a node looks as it did, as far as this spec touched
// it, and returns how it does not. What somebody else changed is a doubt.
func (s *Scene) awaitRestored(ctx context.Context, name string) string {
	mine := s.nodes[name]
	limited, cancel := context.WithTimeout(ctx, s.Longest(limit.Status))
	defer cancel()
	var own, others []string
	_ = s.History.Await(limited, func(state *history.State) bool {
		own, others = mine.differences(state.Node(name))
		return len(own) == 0 || mine.left
	})
	for _, difference := range others {
		Doubt("node %s changed while it was lent: %s", name, difference)
	}
	if len(own) == 0 || mine.left {
		return ""
	}
	return fmt.Sprintf("node %s is not what it was before the spec: %v", name, own)
}

// differences tells how a node differs from what it was, apart by whether the
// spec touched that.
func (d *disturbed) differences(now *corev1.Node) (own, others []string) {
	if now == nil || now.UID != d.uid {
		return nil, []string{"it is gone or another machine"}
	}
	differences := d.before.Differences(node.Take(now))
	for _, name := range slices.Sorted(maps.Keys(differences)) {
		if d.touched[name] || d.follows(name) {
			own = append(own, differences[name])
		} else {
			others = append(others, differences[name])
		}
	}
	return own, others
}

// follows reports whether a difference is the taint that follows a cordon.
func (d *disturbed) follows(name string) bool {
	taint := corev1.Taint{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule}
	return d.touched[node.Cordon().String()] && name == node.Taint(taint).String()
}

// asFound returns a node without what this spec did to it, nil if all of its
// changes are the spec's own: it is simulated, or was taken away for a while.
func (s *Scene) asFound(object *corev1.Node) *corev1.Node {
	mine := s.nodes[object.Name]
	switch {
	case s.comesAndGoes(object.Name):
		return nil
	case mine == nil || mine.uid != object.UID:
		return object
	}
	found := object.DeepCopy()
	found.Spec.Taints = slices.DeleteFunc(found.Spec.Taints, func(t corev1.Taint) bool {
		name := node.Taint(t).String()
		return mine.touched[name] || mine.follows(name)
	})
	if mine.touched[node.Cordon().String()] {
		found.Spec.Unschedulable = false
	}
	return found
}
