package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/watch"

	"rollcall.dev/rollcall/framework/await"
)

// Leftover is an object of the whole cluster that a run made and did not remove.
type Leftover struct {
	Kind, Name string
	// Run is the ID of the run that made it.
	Run string
}

func (l Leftover) String() string { return fmt.Sprintf("%s %s of run %s", l.Kind, l.Name, l.Run) }

// StaysError is what a clean-up could not remove in time, and why.
type StaysError struct{ Left []string }

func (e *StaysError) Error() string { return "still there: " + strings.Join(e.Left, "; ") }

// keeper lists and deletes the objects of one kind.
type keeper struct {
	kind   string
	list   func(context.Context, metav1.ListOptions) ([]metav1.Object, error)
	remove func(context.Context, string, metav1.DeleteOptions) error
}

// keepers returns what can be left, in the order of removal: the namespaces
// first, since what runs in them may need the rest to end well.
func (c *Connection) keepers() []keeper {
	return []keeper{
		keeperOf("Namespace", c.Client.CoreV1().Namespaces(), func(l *corev1.NamespaceList) []corev1.Namespace { return l.Items }),
		keeperOf("ClusterRoleBinding", c.Client.RbacV1().ClusterRoleBindings(), bindings),
		keeperOf("ClusterRole", c.Client.RbacV1().ClusterRoles(), roles),
		keeperOf("PriorityClass", c.Client.SchedulingV1().PriorityClasses(), classes),
	}
}

// Leftovers finds what runs have left. A run that is still under way, by its
// lock in rollcall's own namespace, is left out. A kind that the caller may not
// list is left out too and named in an error beside the rest.
func (c *Connection) Leftovers(ctx context.Context, namespace string) ([]Leftover, error) {
	live, err := c.liveRuns(ctx, namespace)
	if err != nil {
		return nil, err
	}
	var (
		found  []Leftover
		faults []error
	)
	for _, keeper := range c.keepers() {
		objects, err := keeper.list(ctx, metav1.ListOptions{LabelSelector: RunLabel})
		if err != nil {
			faults = append(faults, environment(err, "looking for a left %s", keeper.kind))
		}
		for _, object := range objects {
			run := object.GetLabels()[RunLabel]
			inUse := keeper.kind == "Namespace" && object.GetName() == namespace && live.Len() > 0
			if !live.Has(run) && !inUse {
				found = append(found, Leftover{Kind: keeper.kind, Name: object.GetName(), Run: run})
			}
		}
	}
	return found, errors.Join(faults...)
}

// liveRuns returns the run that holds the lock, if one does.
func (c *Connection) liveRuns(ctx context.Context, namespace string) (sets.Set[string], error) {
	lease, err := c.Client.CoordinationV1().Leases(namespace).Get(ctx, lockName, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, environment(err, "looking for a run under way")
	}
	if holder, live := liveHolder(lease, c.now()); live {
		return sets.New(holder), nil
	}
	return nil, nil
}

// Cleanup removes what runs have left, telling progress a line at a time, and
// waits until it is gone or the time is over; what stays is a StaysError.
func (c *Connection) Cleanup(ctx context.Context, namespace string, deadline time.Duration, progress func(string)) error {
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	found, unseen := c.Leftovers(ctx, namespace)
	if len(found) == 0 {
		return unseen
	}
	faults := []error{unseen}
	gone := sets.New[string]()
	for _, keeper := range c.keepers() {
		for _, left := range ofKind(found, keeper.kind) {
			if err := c.remove(ctx, keeper, left, progress); err != nil {
				faults = append(faults, err)
			} else if left.Kind == "Namespace" {
				gone.Insert(left.Name)
			}
		}
	}
	return errors.Join(append(faults, c.awaitGone(ctx, gone, progress))...)
}

func (c *Connection) remove(ctx context.Context, keeper keeper, left Leftover, progress func(string)) error {
	progress("removing the " + left.String())
	err := keeper.remove(ctx, left.Name, metav1.DeleteOptions{})
	if err != nil && !apierrors.IsNotFound(err) {
		return environment(err, "removing the %s", left)
	}
	return nil
}

// awaitGone waits for namespaces that are being deleted.
func (c *Connection) awaitGone(ctx context.Context, names sets.Set[string], progress func(string)) error {
	if names.Len() == 0 {
		return nil
	}
	states := map[string]string{}
	for name := range names {
		states[name] = "it is not known why"
	}
	namespaces := c.Client.CoreV1().Namespaces()
	listed, err := namespaces.List(ctx, metav1.ListOptions{LabelSelector: RunLabel})
	if err != nil {
		return environment(err, "waiting for namespaces to be gone")
	}
	there := sets.New[string]()
	for _, namespace := range listed.Items {
		there.Insert(namespace.Name)
	}
	for name := range names.Difference(there) {
		delete(states, name)
	}
	if len(states) == 0 {
		return nil
	}
	err = await.Until(ctx, c.Client, namespaces, await.Which{Labels: RunLabel},
		func(event watch.EventType, namespace *corev1.Namespace) (bool, error) {
			if _, ours := states[namespace.Name]; ours && event == watch.Deleted {
				delete(states, namespace.Name)
				progress("the namespace " + namespace.Name + " is gone")
			} else if ours {
				states[namespace.Name] = whyTerminating(namespace)
			}
			return len(states) == 0, nil
		})
	if err != nil && len(states) > 0 {
		return stays(states)
	}
	return err
}

func stays(states map[string]string) error {
	var left []string
	for name, why := range states {
		left = append(left, fmt.Sprintf("the namespace %s (%s)", name, why))
	}
	slices.Sort(left)
	return &StaysError{Left: left}
}

// whyTerminating says what a namespace waits for, in the words of the namespace
// controller.
func whyTerminating(namespace *corev1.Namespace) string {
	var reasons []string
	for _, condition := range namespace.Status.Conditions {
		if condition.Status == corev1.ConditionTrue {
			reasons = append(reasons, condition.Message)
		}
	}
	return cmp.Or(strings.Join(reasons, ", "), "its deletion is under way")
}

func ofKind(found []Leftover, kind string) []Leftover {
	return slices.DeleteFunc(slices.Clone(found), func(l Leftover) bool { return l.Kind != kind })
}
