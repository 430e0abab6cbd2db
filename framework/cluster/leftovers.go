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

	"rollcall.dev/rollcall/framework/await"
	"rollcall.dev/rollcall/framework/limit"
)

// Leftover is an object that a run made and did not remove.
type Leftover struct {
	// Name has the form namespace/name where the kind lives in namespaces.
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
		keeperOf("RoleBinding", c.Client.RbacV1().RoleBindings(corev1.NamespaceNodeLease), localBindings),
		keeperOf("Role", c.Client.RbacV1().Roles(corev1.NamespaceNodeLease), localRoles),
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
			if !live.Has(run) {
				found = append(found, Leftover{Kind: keeper.kind, Name: object.GetName(), Run: run})
			}
		}
	}
	return found, errors.Join(faults...)
}

// liveRuns returns the run that holds the lock, if one does, and the Job that
// it may be part of: that one labelled the namespace.
func (c *Connection) liveRuns(ctx context.Context, namespace string) (sets.Set[string], error) {
	lease, err := c.Client.CoordinationV1().Leases(namespace).Get(ctx, lockName, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, environment(err, "looking for a run under way")
	}
	holder, live := liveHolder(lease, c.now())
	if !live {
		return nil, nil
	}
	own, err := c.Client.CoreV1().Namespaces().Get(ctx, namespace, metav1.GetOptions{})
	if err != nil {
		return nil, environment(err, "looking for a run under way")
	}
	return sets.New(holder, own.Labels[RunLabel]), nil
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
	var going []string
	for _, keeper := range c.keepers() {
		for _, left := range ofKind(found, keeper.kind) {
			if err := c.remove(ctx, keeper, left, progress); err != nil {
				faults = append(faults, err)
			} else if left.Kind == "Namespace" {
				going = append(going, left.Name)
			}
		}
	}
	return errors.Join(append(faults, c.awaitGone(ctx, going, progress))...)
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
func (c *Connection) awaitGone(ctx context.Context, names []string, progress func(string)) error {
	namespaces := c.Client.CoreV1().Namespaces()
	var left []string
	for _, name := range names {
		err := await.Gone[corev1.Namespace](ctx, c.Client, namespaces, await.Which{Fields: "metadata.name=" + name})
		if err != nil {
			left = append(left, fmt.Sprintf("the namespace %s (%s)", name, c.whyStays(ctx, name)))
			continue
		}
		progress("the namespace " + name + " is gone")
	}
	if len(left) > 0 {
		return &StaysError{Left: left}
	}
	return nil
}

// whyStays asks once more about a namespace that outlived the time for it.
func (c *Connection) whyStays(ctx context.Context, name string) string {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit.Call.For)
	defer cancel()
	namespace, err := c.Client.CoreV1().Namespaces().Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return cause(err)
	}
	return whyTerminating(namespace)
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
