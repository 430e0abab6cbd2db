package audit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"

	"rollcall.dev/rollcall/framework/cluster"
	"rollcall.dev/rollcall/framework/exit"
	"rollcall.dev/rollcall/framework/history"
)

// Watch is how long a DaemonSet is followed.
type Watch struct {
	// For ends it after that time; 0 leaves it to the user.
	For time.Duration
	// UntilDone ends it once the rollout is done.
	UntilDone bool
}

// errOver ends a watch that has nothing more to see.
var errOver = errors.New("the watch is over")

// CheckWatch says what is wrong with a request to watch.
func (r Request) CheckWatch() error {
	switch {
	case r.All:
		return exit.Usagef("--watch follows one DaemonSet, not -A")
	case r.Folder != "":
		return exit.Usagef("--watch follows a cluster, not --from")
	case r.Name == "" || r.Namespace == "":
		return exit.Usagef("say which DaemonSet to follow, as in: rollcall audit --watch -n logging ds/agent")
	default:
		return nil
	}
}

// Watch follows a DaemonSet and tells what happens to it. It returns the exit
// code: 1 if a budget was broken or a node is uncovered at the end, else 2 if
// the watch lost changes, else 0.
func (r Request) Watch(ctx context.Context, w Watch, out io.Writer) (int, error) {
	if err := r.CheckWatch(); err != nil {
		return 0, err
	}
	roster, err := r.Roster()
	if err != nil {
		return 0, err
	}
	connection, err := cluster.Connect(r.Target)
	if err != nil {
		return 0, err
	}
	daemonSet, err := connection.Client.AppsV1().DaemonSets(r.Namespace).Get(ctx, r.Name, metav1.GetOptions{})
	if err != nil {
		return 0, exit.Environmentf("cannot read the DaemonSet: %w", err)
	}
	selector, err := metav1.LabelSelectorAsSelector(daemonSet.Spec.Selector)
	if err != nil {
		return 0, exit.Environmentf("the DaemonSet's selector: %w", err)
	}
	recorder, err := history.Record(ctx, sources(connection.Client, r.Namespace, r.Name, selector))
	if err != nil {
		return 0, exit.Environmentf("%w", err)
	}
	defer recorder.Stop()
	f := &follower{
		vigil: NewVigil(r.Namespace, r.Name, roster), recorder: recorder, taken: history.New(), watch: w, out: out,
		metrics: &metrics{client: connection.Client.CoreV1().RESTClient(), namespace: r.Namespace, selector: selector.String()},
	}
	return f.follow(ctx)
}

// sources are what a watch needs: the one DaemonSet, its Pods and revisions, and
// the nodes.
func sources(client kubernetes.Interface, namespace, name string, selector labels.Selector) history.Sources {
	from := func(getter cache.Getter, resource, namespace string, narrow func(*metav1.ListOptions)) cache.ListerWatcherWithContext {
		return cache.NewFilteredListWatchFromClient(getter, resource, namespace, narrow)
	}
	byLabel := func(options *metav1.ListOptions) { options.LabelSelector = selector.String() }
	byName := func(options *metav1.ListOptions) {
		options.FieldSelector = fields.OneTermEqualSelector(metav1.ObjectNameField, name).String()
	}
	core, apps := client.CoreV1().RESTClient(), client.AppsV1().RESTClient()
	return history.Sources{
		history.DaemonSet:          from(apps, "daemonsets", namespace, byName),
		history.ControllerRevision: from(apps, "controllerrevisions", namespace, byLabel),
		history.Pod:                from(core, "pods", namespace, byLabel),
		history.Node:               from(core, "nodes", metav1.NamespaceAll, func(*metav1.ListOptions) {}),
	}
}

// follower feeds a vigil from a recorder and writes what it tells.
type follower struct {
	vigil    *Vigil
	recorder *history.Recorder
	watch    Watch
	out      io.Writer
	metrics  *metrics
	taken    *history.History
	seen     int
}

func (f *follower) follow(ctx context.Context) (int, error) {
	if f.watch.For > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, f.watch.For, errOver)
		defer cancel()
	}
	f.begin()
	f.metrics.tell(ctx, f)
	for ctx.Err() == nil {
		wait, cancel := context.WithTimeout(ctx, metricsEvery)
		err := f.recorder.Await(wait, func(*history.State) bool { return len(f.recorder.Changes()) > f.seen })
		cancel()
		if err != nil {
			f.metrics.tell(ctx, f)
		}
		f.catchUp()
		f.tell(f.vigil.Judge(time.Now()))
		if f.vigil.daemonSet == nil || f.watch.UntilDone && f.vigil.Done(f.state(), time.Now()) {
			break
		}
	}
	return f.end()
}

func (f *follower) tell(lines []string) {
	for _, line := range lines {
		fmt.Fprintln(f.out, line)
	}
}

// begin takes what was there already and tells it as one picture.
func (f *follower) begin() {
	for _, change := range f.recorder.Changes() {
		if change.At.After(f.recorder.Began) {
			break
		}
		f.take(change)
	}
	v := f.vigil
	v.See(history.Change{At: f.recorder.Began, Kind: history.DaemonSet}, f.state())
	if v.daemonSet == nil {
		return
	}
	f.tell([]string{fmt.Sprintf("%s  DaemonSet %s/%s, %s", clock(f.recorder.Began), v.namespace, v.name, v.budgets(f.state()))})
	for _, name := range sortedKeys(v.told) {
		f.tell([]string{fmt.Sprintf("          %s: %s", name, v.told[name])})
	}
	f.tell([]string{"          " + v.totals(f.state(), f.recorder.Began)})
	if missing := v.Uncovered(f.state(), f.recorder.Began); len(missing) > 0 {
		f.tell([]string{"          not judged until it has an available Pod: " + several(missing)})
	}
}

// take adds a change to the follower's own history, which is the recorder's up to
// where the vigil has looked.
func (f *follower) take(change history.Change) {
	f.taken.AppendAt(change.At, change.Kind, change.Type, change.Object)
	f.seen++
}

// state is the one after the last change that was taken.
func (f *follower) state() *history.State { return f.taken.Latest() }

// catchUp shows the vigil every change since it last looked, one by one.
func (f *follower) catchUp() {
	for _, change := range f.recorder.Changes()[f.seen:] {
		f.take(change)
		f.tell(f.vigil.See(change, f.state()))
	}
}

// end sums up.
func (f *follower) end() (int, error) {
	now := time.Now()
	missing := f.vigil.Uncovered(f.state(), now)
	fmt.Fprintln(f.out)
	for _, breach := range f.vigil.Breaches {
		fmt.Fprintf(f.out, "broken at %s: %s\n  allowed: %s\n", stamp(breach.At), breach.Seen, breach.Claim)
	}
	for _, gap := range f.recorder.Gaps() {
		fmt.Fprintf(f.out, "the watch lost changes of every %s between %s and %s (%s): what is said of budgets is not proven\n", gap.Kind, clock(gap.From), clock(gap.To), gap.Cause)
	}
	switch {
	case len(f.vigil.Breaches) > 0:
		fmt.Fprintf(f.out, "%s; %s\n", plural(len(f.vigil.Breaches), "budget was broken", "budgets were broken"), uncovered(missing))
		return 1, nil
	case len(missing) > 0:
		fmt.Fprintf(f.out, "every budget was kept; %s\n", uncovered(missing))
		return 1, nil
	case len(f.recorder.Gaps()) > 0:
		fmt.Fprintln(f.out, "inconclusive: no broken budget was seen, and changes were lost")
		return 2, nil
	default:
		fmt.Fprintf(f.out, "every budget was kept; %s\n", uncovered(missing))
		return 0, nil
	}
}

func uncovered(missing []string) string {
	if len(missing) == 0 {
		return "every node where it is meant to be has an available Pod"
	}
	return "without an available Pod at the end: " + strings.Join(missing, ", ")
}
