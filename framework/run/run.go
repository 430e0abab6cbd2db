package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilrand "k8s.io/apimachinery/pkg/util/rand"

	"rollcall.dev/rollcall/framework/cluster"
	"rollcall.dev/rollcall/framework/exit"
	"rollcall.dev/rollcall/framework/release"
	"rollcall.dev/rollcall/framework/report"
	"rollcall.dev/rollcall/framework/requirement"
)

// Settings are what the user asked of a run.
type Settings struct {
	Selection
	Target cluster.Target
	// Namespace is rollcall's own, where the lock and the report live.
	Namespace string
	// Image is what every Pod of a spec runs; PullSecret names a secret of
	// Namespace that lets nodes pull it.
	Image, PullSecret string
	// Lent selects the nodes that are free to disturb; empty is the label.
	Lent string
	// EvictOthers allows that other people's Pods are evicted from lent nodes.
	EvictOthers bool
	// Kubectl is the path of a kubectl to drain with; empty means the one built in.
	Kubectl string
	// Parallel is how many specs run at a time.
	Parallel int
	// Scale multiplies every time limit.
	Scale float64
	// Out is the folder for the report, and for the histories of the specs that
	// fail; empty keeps none.
	Out string
	// AllHistories keeps those of the other specs too.
	AllHistories bool
	// Sonobuoy hands the report over as a Sonobuoy plugin does.
	Sonobuoy bool
	// KeepReport leaves the report in a ConfigMap.
	KeepReport bool
}

// Run carries out a run and returns its report. Wrong usage is an error and
// nothing else; any other error comes with a report that says why there is no
// verdict.
func Run(ctx context.Context, suites []Suite, settings Settings, out io.Writer) (*report.ConformanceReport, error) {
	r, err := begin(suites, settings, out)
	if err != nil {
		return nil, err
	}
	err = r.carryOut(ctx)
	r.conclude(ctx, err)
	return r.report, errors.Join(err, r.trouble, r.finish(ctx))
}

// Check says what is wrong with a request, as far as that can be told without a
// cluster. Its error is a usage error.
func Check(suites []Suite, settings Settings) error {
	catalogue, err := Catalogue(suites)
	if err != nil {
		return err
	}
	return settings.check(catalogue)
}

func (s Settings) check(catalogue *requirement.Catalogue) error {
	if s.Parallel < 1 {
		return exit.Usagef("--parallel %d: at least one spec runs at a time", s.Parallel)
	}
	if s.Scale <= 0 {
		return exit.Usagef("--timeout-scale %g: a time limit must be more than nothing", s.Scale)
	}
	if s.Image == "" {
		return exit.Usagef("--image is empty: every Pod of a spec runs it")
	}
	if _, err := cluster.LentSelector(s.Lent); err != nil {
		return err
	}
	if s.Kubectl != "" {
		if _, err := exec.LookPath(s.Kubectl); err != nil {
			return exit.Usagef("--kubectl %s: %w", s.Kubectl, err)
		}
	}
	if _, err := choose(catalogue, s.Selection); err != nil {
		return exit.Usagef("%w", err)
	}
	return nil
}

// running is one run from its first to its last step.
type running struct {
	settings   Settings
	out        io.Writer
	catalogue  *requirement.Catalogue
	specs      []Spec
	connection *cluster.Connection
	facts      *cluster.Facts
	report     *report.ConformanceReport
	sinks      report.Sinks
	// trouble is what went wrong once the specs had begun: the lock was lost,
	// or something that the run created is still there.
	trouble error
}

// begin checks everything that can be checked without a cluster, and then that
// there is one to connect to.
func begin(suites []Suite, settings Settings, out io.Writer) (*running, error) {
	catalogue, err := Catalogue(suites)
	if err != nil {
		return nil, err
	}
	if err := settings.check(catalogue); err != nil {
		return nil, err
	}
	connection, err := cluster.Connect(settings.Target)
	if err != nil {
		return nil, err
	}
	r := &running{settings: settings, out: out, catalogue: catalogue, specs: Specs(suites), connection: connection}
	r.report = r.newReport()
	r.sinks = r.newSinks()
	return r, nil
}

func (r *running) newReport() *report.ConformanceReport {
	return &report.ConformanceReport{
		APIVersion: report.APIVersion, Kind: report.Kind,
		Run: report.Run{
			ID: utilrand.String(8), Version: release.Version, Level: r.settings.Level, Focus: r.settings.Focus,
			Started: metav1.Now(),
		},
		Cluster: report.Cluster{Server: r.connection.Server, Context: r.connection.Context},
	}
}

func (r *running) newSinks() report.Sinks {
	sinks := report.Sinks{report.TerminationLog{Path: report.DefaultTerminationLog}}
	if r.settings.Out != "" {
		sinks = append(sinks, report.Directory{Path: r.settings.Out})
	}
	if r.settings.KeepReport {
		sinks = append(sinks, report.ConfigMap{
			Client: r.connection.Client.CoreV1().ConfigMaps(r.settings.Namespace),
			Name:   report.ConfigMapName, Labels: cluster.Labels(r.report.Run.ID),
		})
	}
	if r.settings.Sonobuoy {
		sinks = append(sinks, report.Sonobuoy{Dir: report.SonobuoyResults()})
	}
	return sinks
}

// carryOut makes sure that the run can begin, plans, and works through the
// plan while it holds the cluster's lock.
func (r *running) carryOut(ctx context.Context) error {
	if err := r.describe(ctx); err != nil {
		return err
	}
	secret, err := r.pullSecret(ctx)
	if err != nil {
		return err
	}
	plan, err := r.preflight(ctx, secret)
	if err != nil {
		return err
	}
	lock, err := r.connection.Acquire(ctx, r.settings.Namespace, r.report.Run.ID)
	if err != nil {
		return err
	}
	held, cancel := whileHeld(ctx, lock)
	defer cancel(nil)
	r.work(held, plan, r.order(secret))
	r.trouble = errors.Join(context.Cause(held), r.restoreNodes(ctx), r.teardown(ctx), lock.Release(context.WithoutCancel(ctx)))
	return nil
}

// whileHeld returns a context that ends when the lock is lost: another run may
// then have begun.
func whileHeld(ctx context.Context, lock *cluster.Lock) (context.Context, context.CancelCauseFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		select {
		case err := <-lock.Lost():
			cancel(err)
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

// preflight finds out what the cluster offers and plans accordingly.
func (r *running) preflight(ctx context.Context, secret *corev1.Secret) (*Plan, error) {
	findings, err := r.connection.Preflight(ctx, cluster.Settings{
		Level: r.settings.Level, RunID: r.report.Run.ID, Namespace: r.settings.Namespace,
		Image: r.settings.Image, PullSecret: secret, Facts: r.facts,
	})
	if err != nil {
		return nil, err
	}
	if err := r.survey(ctx, findings); err != nil {
		return nil, err
	}
	r.warn(findings.Warnings)
	return NewPlan(r.catalogue, r.specs, r.settings.Selection, r.facts.Version, findings.Lacking)
}

func (r *running) warn(warnings []string) {
	for _, warning := range warnings {
		fmt.Fprintf(r.out, "warning: %s\n", warning)
	}
	r.report.Cluster.Warnings = append(r.report.Cluster.Warnings, warnings...)
}

func (r *running) describe(ctx context.Context) error {
	selector, err := cluster.LentSelector(r.settings.Lent)
	if err != nil {
		return err
	}
	r.facts, err = r.connection.Describe(ctx, selector)
	if err != nil {
		return err
	}
	healed, err := r.heal(ctx)
	if err != nil {
		return err
	}
	if healed {
		if r.facts, err = r.connection.Describe(ctx, selector); err != nil {
			return err
		}
	}
	c := &r.report.Cluster
	c.UID, c.Version = string(r.facts.UID), r.facts.GitVersion
	for _, node := range r.facts.Nodes {
		c.Nodes = append(c.Nodes, report.Node{
			Name: node.Name, UID: string(node.UID), Version: node.Status.NodeInfo.KubeletVersion,
			Ready: node.Ready, Lent: node.Lent, Excluded: node.Excluded,
		})
	}
	fmt.Fprintf(r.out, "cluster %s (%s), Kubernetes %s, %d nodes, %d on the roster\n",
		cmp.Or(c.Context, "of this Pod"), c.Server, c.Version, len(c.Nodes), len(r.facts.Roster))
	r.warn(r.facts.Warnings)
	return nil
}

// order is what every worker of this run is told; only the specs differ.
func (r *running) order(secret *corev1.Secret) Order {
	order := Order{
		Target: r.settings.Target, RunID: r.report.Run.ID, Image: r.settings.Image, PullSecret: secret,
		Version: r.facts.GitVersion, Roster: r.facts.Roster, Scale: r.settings.Scale,
		Home: r.settings.Namespace, Lent: r.lent(), EvictOthers: r.settings.EvictOthers, Kubectl: r.settings.Kubectl,
	}
	if r.settings.Out != "" {
		order.Histories, order.AllHistories = filepath.Join(r.settings.Out, "histories"), r.settings.AllHistories
	}
	// The context is resolved once: a user who switches it in another terminal
	// must not move the rest of the run to another cluster.
	order.Target.Context = r.connection.Context
	return order
}

// pullSecret reads the secret with which nodes pull the image, nil if the image
// needs none.
func (r *running) pullSecret(ctx context.Context) (*corev1.Secret, error) {
	if r.settings.PullSecret == "" {
		return nil, nil
	}
	secret, err := r.connection.Client.CoreV1().Secrets(r.settings.Namespace).Get(ctx, r.settings.PullSecret, metav1.GetOptions{})
	if err != nil {
		return nil, exit.Environmentf("the pull secret %s cannot be read: %w", r.settings.PullSecret, err)
	}
	return secret, nil
}

// work runs the plan's batches and enters what they find.
func (r *running) work(ctx context.Context, plan *Plan, order Order) {
	ledger := newLedger(r.report, plan)
	saver := startSaver(context.WithoutCancel(ctx), ledger, r.sinks)
	defer saver.stop()
	progress := newProgress(r.out, plan.Checked())
	stop := make(chan struct{})
	defer close(stop)
	go progress.follow(stop)

	fmt.Fprintf(r.out, "run %s at level %s: %d requirements, %d specs, %d at a time\n",
		r.report.Run.ID, r.settings.Level, plan.Checked(), plan.Specs(), r.settings.Parallel)
	workers := pool{program: program(), args: []string{WorkerVerb}, order: order, hear: func(message Message) {
		progress.hear(message)
		if message.Finding == nil {
			return
		}
		for _, result := range ledger.enter(*message.Finding) {
			progress.verdict(result)
		}
		saver.save()
	}}
	workers.run(ctx, plan.Batches, r.settings.Parallel)
}

// WorkerVerb is the verb by which this program starts itself as a worker.
const WorkerVerb = "worker"

func program() string {
	if path, err := os.Executable(); err == nil {
		return path
	}
	return os.Args[0]
}

// conclude closes the report. An error that kept the run from its verdicts is
// its conclusion. Trouble at the end takes no verdict back, but a cluster that
// is not as it was found is not called conformant.
func (r *running) conclude(ctx context.Context, err error) {
	now := metav1.Now()
	r.report.Run.Finished = &now
	switch {
	case ctx.Err() != nil || errors.Is(err, context.Canceled):
		r.report.Conclusion, r.report.Reason = report.Interrupted, "the run was told to stop"
	case err != nil:
		r.report.Conclusion, r.report.Reason = report.CouldNotRun, err.Error()
	}
	r.report.Conclude()
	if r.trouble != nil && (r.report.Conclusion == report.Conformant || r.report.Conclusion == report.Partial) {
		r.report.Conclusion, r.report.Reason = report.Inconclusive, r.trouble.Error()
	}
}

// finish keeps the report. It goes on when the run was told to stop: then above
// all the report must not be lost.
func (r *running) finish(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer cancel()
	return r.sinks.Finish(ctx, r.report)
}
