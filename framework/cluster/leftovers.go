package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
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

	made   time.Time
	remove func(context.Context) error
}

// inPreflight reports whether the object may belong to a preflight that has not
// ended: that holds no lock yet.
func (l Leftover) inPreflight(now time.Time) bool {
	return strings.HasPrefix(l.Name, scratchPrefix) && now.Sub(l.made) < preflightTime+limit.Namespace.For
}

func (l Leftover) String() string { return fmt.Sprintf("%s %s of run %s", l.Kind, l.Name, l.Run) }

// StaysError is what a clean-up could not remove in time, and why.
type StaysError struct{ Left []string }

func (e *StaysError) Error() string { return "still there: " + strings.Join(e.Left, "; ") }

// keepers returns what can be left, in the order of removal: what runs first,
// since it may need the rest to end well. The namespace is rollcall's own; other
// namespaces of a run are removed whole.
func (c *Connection) keepers(namespace string) []keeper {
	client := c.Client
	all := []keeper{
		keeperOf("Job", client.BatchV1().Jobs(namespace), func(l *batchv1.JobList) []batchv1.Job { return l.Items }),
		keeperOf("Namespace", client.CoreV1().Namespaces(), func(l *corev1.NamespaceList) []corev1.Namespace { return l.Items }),
		keeperOf("ServiceAccount", client.CoreV1().ServiceAccounts(namespace), func(l *corev1.ServiceAccountList) []corev1.ServiceAccount { return l.Items }),
		keeperOf("ConfigMap", client.CoreV1().ConfigMaps(namespace), func(l *corev1.ConfigMapList) []corev1.ConfigMap { return l.Items }),
		keeperOf("ClusterRoleBinding", client.RbacV1().ClusterRoleBindings(), func(l *rbacv1.ClusterRoleBindingList) []rbacv1.ClusterRoleBinding { return l.Items }),
		keeperOf("ClusterRole", client.RbacV1().ClusterRoles(), func(l *rbacv1.ClusterRoleList) []rbacv1.ClusterRole { return l.Items }),
	}
	for _, place := range []string{namespace, corev1.NamespaceNodeLease} {
		all = append(all,
			keeperOf("RoleBinding", client.RbacV1().RoleBindings(place), func(l *rbacv1.RoleBindingList) []rbacv1.RoleBinding { return l.Items }),
			keeperOf("Role", client.RbacV1().Roles(place), func(l *rbacv1.RoleList) []rbacv1.Role { return l.Items }))
	}
	return all
}

// Leftovers finds what runs have left. A run that is still under way, by its
// lock, is left out. A kind that the caller may not
// list is left out too and named in an error beside the rest.
func (c *Connection) Leftovers(ctx context.Context, namespace string) ([]Leftover, error) {
	live, err := c.LiveRuns(ctx, namespace)
	if err != nil {
		return nil, err
	}
	var (
		found  []Leftover
		faults []error
	)
	for _, keeper := range c.keepers(namespace) {
		left, err := keeper.left(ctx)
		if err != nil {
			faults = append(faults, environment(err, "looking for a left %s", keeper.kind))
		}
		found = append(found, slices.DeleteFunc(left, func(l Leftover) bool {
			return live.Has(l.Run) || l.inPreflight(c.now())
		})...)
	}
	return found, errors.Join(faults...)
}

// LiveRuns returns the runs that hold a lock, and the Jobs that they may be part
// of: a Job labels the namespace of its run's lock. A caller who may not look
// into every namespace sees the lock in rollcall's own.
func (c *Connection) LiveRuns(ctx context.Context, namespace string) (sets.Set[string], error) {
	ours := metav1.ListOptions{LabelSelector: ManagedByLabel + "=" + ManagedBy}
	leases, err := c.Client.CoordinationV1().Leases(metav1.NamespaceAll).List(ctx, ours)
	if apierrors.IsForbidden(err) {
		leases, err = c.Client.CoordinationV1().Leases(namespace).List(ctx, ours)
	}
	if err != nil {
		return nil, environment(err, "looking for a run under way")
	}
	runs := sets.New[string]()
	for _, lease := range leases.Items {
		holder, live := liveHolder(&lease, c.now())
		if !live || lease.Name != lockName {
			continue
		}
		place, err := c.Client.CoreV1().Namespaces().Get(ctx, lease.Namespace, metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			continue // the run ended between the two looks
		}
		if err != nil {
			return nil, environment(err, "looking for a run under way")
		}
		runs.Insert(holder, place.Labels[RunLabel])
	}
	return runs, nil
}

// Cleanup removes what runs have left, telling progress a line at a time, and
// waits until it is gone or the time is over; what stays is a StaysError.
func (c *Connection) Cleanup(ctx context.Context, namespace string, deadline time.Duration, progress func(string)) error {
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	found, unseen := c.Leftovers(ctx, namespace)
	c.tellLive(ctx, namespace, progress)
	if len(found) == 0 && unseen == nil {
		progress("nothing is left of any run")
	}
	faults := []error{unseen}
	var going []string
	for _, left := range found {
		progress("removing the " + left.String())
		if err := left.remove(ctx); err != nil {
			faults = append(faults, environment(err, "removing the %s", left))
		} else if left.Kind == "Namespace" {
			going = append(going, left.Name)
		}
	}
	return errors.Join(append(faults, c.awaitGone(ctx, going, progress))...)
}

// tellLive names the runs that a clean-up leaves alone.
func (c *Connection) tellLive(ctx context.Context, namespace string, progress func(string)) {
	live, err := c.LiveRuns(ctx, namespace)
	if err != nil {
		return // Leftovers told it already
	}
	for _, run := range sets.List(live.Delete("", lockRun)) {
		progress("left alone, since it holds the lock: run " + run + " (a run that was killed holds it for a minute)")
	}
}

// awaitGone waits for namespaces that are being deleted.
func (c *Connection) awaitGone(ctx context.Context, names []string, progress func(string)) error {
	namespaces := c.Client.CoreV1().Namespaces()
	var left []string
	for _, name := range names {
		err := await.Gone[corev1.Namespace](ctx, c.Client, namespaces, await.Named(name))
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
