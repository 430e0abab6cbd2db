package mutants

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"k8s.io/client-go/kubernetes"

	"rollcall.dev/rollcall/framework/exit"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/kind"
	"rollcall.dev/rollcall/kind/nodeimage"
	"rollcall.dev/rollcall/kind/progress"
)

// Options say which mutants are tried, and where.
type Options struct {
	// Names are mutants of the table, or components, or the small set; none means
	// all.
	Names []string
	// Catalogue knows which requirements have a spec.
	Catalogue *requirement.Catalogue
	// Results is a file that keeps what was found; empty means none.
	Results string
	// Cluster is the name of a kind cluster that is there.
	Cluster string
	// BinariesDir is the folder kind/binaries; empty means to look for it.
	BinariesDir string
	// Image is the image of every Pod that a spec starts.
	Image string
	// Scale multiplies the time limits of the specs.
	Scale float64
	// Out is a folder for the report of each run. Empty means one that is kept
	// only if something is wrong.
	Out      string
	Progress *progress.Printer
}

// Run tries the mutants one after the other, heals the cluster, and checks that
// it is green again. An error means that it did not come to that, and then too
// the cluster is healed; the result, if there is one, holds what was found.
func Run(ctx context.Context, options Options) (*Result, error) {
	chosen, err := Find(options.Names)
	if err != nil {
		return nil, exit.Usagef("%w", err)
	}
	chosen, waiting := checkable(chosen, options.Catalogue)
	if len(chosen) == 0 {
		return nil, exit.Usagef("no spec checks yet what %v should turn red", namesOf(waiting))
	}
	l, err := open(ctx, options, chosen)
	if err != nil {
		return nil, err
	}
	chosen, unfit := fitting(l.release, chosen)
	result := &Result{Waiting: append(waiting, unfit...), Reports: l.rollcall.out}
	if len(options.Names) == 0 {
		result.Uncovered = uncovered(options.Catalogue)
	}
	err = l.tryAll(ctx, chosen, result)
	if err == nil {
		err = l.control(ctx, chosen, result)
	}
	worthALook := ctx.Err() == nil && (err != nil || !result.OK())
	err = errors.Join(err, l.close(options, worthALook))
	switch {
	case len(result.Outcomes) == 0:
		return nil, err
	case options.Out == "" && !worthALook:
		result.Reports = ""
	}
	return result, err
}

// checkable parts the mutants into those that a spec can catch and those that wait
// for one.
func checkable(chosen []Mutant, catalogue *requirement.Catalogue) (now, later []Mutant) {
	for _, mutant := range chosen {
		if len(mutant.unchecked(catalogue)) == 0 {
			now = append(now, mutant)
		} else {
			later = append(later, mutant)
		}
	}
	return now, later
}

// uncovered are the requirements that a spec checks and no mutant breaks.
func uncovered(catalogue *requirement.Catalogue) []string {
	broken := union(table, func(m Mutant) []string { return m.Expect })
	var ids []string
	for _, area := range catalogue.Areas() {
		for _, r := range area.Requirements {
			if r.Checked() && !slices.Contains(broken, r.ID) {
				ids = append(ids, r.ID)
			}
		}
	}
	return ids
}

// lab is a cluster in which mutants are tried.
type lab struct {
	rollcall rollcall
	actors   map[Component]actor
	progress *progress.Printer
	scratch  string
	results  string
	release  string // of Kubernetes, such as v1.37.2
	// catalogue knows how far each requirement reaches.
	catalogue *requirement.Catalogue
}

// open prepares everything that the mutants share: the binary, the actors, the
// image in the nodes, a kubeconfig of our own.
func open(ctx context.Context, options Options, chosen []Mutant) (*lab, error) {
	cluster := kind.Open(options.Cluster, options.Progress)
	present, err := cluster.Nodes()
	if err != nil {
		return nil, err
	}
	if len(present) == 0 {
		return nil, exit.Environmentf("there is no cluster %s: make it with 'rollcall kind create --name %s'", cluster.Name, cluster.Name)
	}
	config, err := cluster.RESTConfig()
	if err != nil {
		return nil, err
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	if err := cluster.Load(ctx, options.Image); err != nil {
		return nil, err
	}
	server, err := client.Discovery().ServerVersion()
	if err != nil {
		return nil, exit.Environmentf("the cluster does not say which Kubernetes it is: %w", err)
	}
	built, err := buildFor(ctx, options, server.GitVersion, chosen)
	if err != nil {
		return nil, err
	}
	l := &lab{progress: options.Progress, results: options.Results, release: server.GitVersion, catalogue: options.Catalogue}
	if err := l.prepareRuns(cluster, options); err != nil {
		return nil, err
	}
	l.rollcall.kubectl = &kubectl{folder: l.scratch, built: built}
	l.actors, err = newActors(client, present, built, l.rollcall.kubectl)
	return l, err
}

// buildFor builds the mutants of the release that the cluster runs.
func buildFor(ctx context.Context, options Options, release string, chosen []Mutant) (nodeimage.Built, error) {
	if !needsBuild(chosen) {
		return nodeimage.Built{}, nil
	}
	committed, err := nodeimage.FindModule(options.BinariesDir)
	if err != nil {
		return nodeimage.Built{}, err
	}
	module, err := committed.At(ctx, release)
	if err != nil {
		return nodeimage.Built{}, err
	}
	return build(ctx, options.Progress, module)
}

func (l *lab) prepareRuns(cluster *kind.Cluster, options Options) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	kubeconfig, err := cluster.Kubeconfig()
	if err != nil {
		return err
	}
	if l.scratch, err = os.MkdirTemp("", "rollcall-mutants-"); err != nil {
		return err
	}
	file := filepath.Join(l.scratch, "kubeconfig")
	if err := os.WriteFile(file, []byte(kubeconfig), 0o600); err != nil {
		return err
	}
	out := options.Out
	if out == "" {
		out = filepath.Join(l.scratch, "reports")
	}
	l.rollcall = rollcall{program: program, kubeconfig: file, context: cluster.Context(), image: options.Image, scale: options.Scale, out: out}
	return nil
}

// close removes the scratch folder, and with it the reports if nobody asked
// for them and nothing in them is worth a look.
func (l *lab) close(options Options, worthALook bool) error {
	if options.Out == "" && worthALook {
		_ = os.Remove(l.rollcall.kubectl.program())
		return os.Remove(filepath.Join(l.scratch, "kubeconfig"))
	}
	return os.RemoveAll(l.scratch)
}

// tryAll tries each mutant. Whatever happens, the cluster is healed at the end.
func (l *lab) tryAll(ctx context.Context, chosen []Mutant, result *Result) (err error) {
	defer func() { err = errors.Join(err, l.healAll(ctx)) }()
	if err := l.healAll(ctx); err != nil { // what a dead run left behind
		return err
	}
	for i, mutant := range chosen {
		if i > 0 && chosen[i-1].Component != mutant.Component {
			if err := l.heal(ctx, chosen[i-1].Component); err != nil {
				return err
			}
		}
		outcome, err := l.try(ctx, mutant)
		if err != nil {
			return fmt.Errorf("mutant %s: %w", mutant.Name, err)
		}
		result.Outcomes = append(result.Outcomes, outcome)
		if err := keep(l.results, outcome); err != nil {
			return err
		}
	}
	return nil
}

// switchTime is how long a component may take to become something else, on a
// busy machine.
const switchTime = 3 * time.Minute

func (l *lab) try(ctx context.Context, mutant Mutant) (Outcome, error) {
	began := time.Now()
	if err := l.become(ctx, mutant); err != nil {
		return Outcome{}, err
	}
	step := l.progress.Start(fmt.Sprintf("Check %v of the mutant", mutant.focus()), 0)
	found, err := l.rollcall.run(ctx, mutant.Name, mutant.level(l.catalogue), mutant.focus())
	if step.End(err) != nil {
		return Outcome{}, err
	}
	outcome := compare(mutant, found)
	outcome.Took = time.Since(began)
	return outcome, nil
}

func (l *lab) become(ctx context.Context, mutant Mutant) error {
	step := l.progress.Start(fmt.Sprintf("Turn %s into %s", mutant.Component, mutant.Name), 15*time.Second)
	ctx, cancel := context.WithTimeout(ctx, switchTime)
	defer cancel()
	return step.End(l.actors[mutant.Component].become(ctx, mutant))
}

// heal heals a component if need be, also when we were told to stop, and makes
// sure that it is healed.
func (l *lab) heal(ctx context.Context, component Component) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), switchTime)
	defer cancel()
	actor := l.actors[component]
	broken, err := actor.broken(ctx)
	if !broken && err == nil {
		return nil
	}
	step := l.progress.Start("Heal "+string(component), 15*time.Second)
	if err = actor.heal(ctx); err == nil {
		if broken, err = actor.broken(ctx); broken {
			err = errors.New("it was healed and is broken again")
		}
	}
	if step.End(err) != nil {
		return fmt.Errorf("%s is not healed, make the cluster anew: %w", component, err)
	}
	return nil
}

func (l *lab) healAll(ctx context.Context) error {
	var faults []error
	for _, component := range components {
		faults = append(faults, l.heal(ctx, component))
	}
	return errors.Join(faults...)
}

// control checks on the healed cluster what was checked of the mutants.
func (l *lab) control(ctx context.Context, chosen []Mutant, result *Result) error {
	began := time.Now()
	focus := union(chosen, Mutant.focus)
	step := l.progress.Start(fmt.Sprintf("Check %v of the healed cluster", focus), 0)
	found, err := l.rollcall.run(ctx, "healed", highest(chosen, l.catalogue), focus)
	if step.End(err) != nil {
		return fmt.Errorf("healed cluster: %w", err)
	}
	healed := control(chosen, found)
	healed.Took = time.Since(began)
	result.Control = &healed
	return nil
}
