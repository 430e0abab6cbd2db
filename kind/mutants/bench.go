package mutants

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"rollcall.dev/rollcall/framework/exit"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/kind"
	"rollcall.dev/rollcall/kind/cache"
	"rollcall.dev/rollcall/kind/nodeimage"
)

// bench is one cluster in which mutants are tried.
type bench struct {
	name     string
	cluster  *kind.Cluster
	client   kubernetes.Interface
	rollcall rollcall
	actors   map[Component]actor
	folder   string // of our own files
	release  string // of Kubernetes, such as v1.37.2
	// catalogue knows how far each requirement reaches.
	catalogue *requirement.Catalogue
	// leave gives the cluster to the next run of mutants.
	leave func()
	// tried are the mutants that this cluster was, and healed is what the run after
	// them said.
	tried  []Mutant
	healed Control
}

// openBench waits until no other run breaks the cluster, and prepares it.
func openBench(ctx context.Context, options Options, name string, of *laboratory) (*bench, error) {
	leave, err := cache.Lock(ctx, "mutants-"+name, func() {
		options.Progress.Note("another run of mutants has the cluster %s: waiting for its end", name)
	})
	if err != nil {
		return nil, err
	}
	b, err := prepareBench(ctx, options, name, of)
	if err != nil {
		leave()
		return nil, err
	}
	b.leave = leave
	return b, nil
}

// prepareBench prepares a cluster: the image in its nodes, a kubeconfig of our own, and
// rollcall's namespace, which would be made and removed by every run otherwise.
func prepareBench(ctx context.Context, options Options, name string, of *laboratory) (*bench, error) {
	cluster := kind.Open(name, options.Progress)
	if err := demand(cluster); err != nil {
		return nil, err
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
		return nil, exit.Environmentf("the cluster %s does not say which Kubernetes it is: %w", name, err)
	}
	b := &bench{name: name, cluster: cluster, client: client, release: server.GitVersion, catalogue: options.Catalogue}
	b.folder = filepath.Join(of.scratch, name)
	if err := b.prepareRuns(options, filepath.Join(of.out, name)); err != nil {
		return nil, err
	}
	return b, b.makeHome(ctx)
}

func demand(cluster *kind.Cluster) error {
	present, err := cluster.Nodes()
	if err == nil && len(present) == 0 {
		err = exit.Environmentf("there is no cluster %s: make it with 'rollcall kind create --name %s'", cluster.Name, cluster.Name)
	}
	return err
}

func (b *bench) prepareRuns(options Options, out string) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	kubeconfig, err := b.cluster.Kubeconfig()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(b.folder, 0o700); err != nil {
		return err
	}
	file := filepath.Join(b.folder, "kubeconfig")
	b.rollcall = rollcall{
		program: program, kubeconfig: file, context: b.cluster.Context(), image: options.Image, scale: options.Scale, out: out,
	}
	return os.WriteFile(file, []byte(kubeconfig), 0o600)
}

// home is the namespace of the lock and the journal.
const home = "rollcall-mutants"

func (b *bench) makeHome(ctx context.Context) error {
	_, err := b.client.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: home}}, metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) {
		return nil
	}
	return err
}

// equip prepares the actors with what they break the cluster with.
func (b *bench) equip(built nodeimage.Built) error {
	present, err := b.cluster.Nodes()
	if err != nil {
		return err
	}
	b.rollcall.kubectl = &kubectl{folder: b.folder, built: built}
	b.actors, err = newActors(b.client, present, built, b.rollcall.kubectl)
	return err
}

// close takes back what openBench did, and leaves the cluster to others. The namespace
// holds nothing by now, so nobody needs to wait until it is gone.
func (b *bench) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), leaveTime)
	defer cancel()
	defer b.leave()
	err := b.client.CoreV1().Namespaces().Delete(ctx, home, metav1.DeleteOptions{})
	return errors.Join(ignoreNotFound(err), os.RemoveAll(b.folder))
}

func ignoreNotFound(err error) error {
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

// tryAll tries mutants until none is left. Whatever happens, the cluster is healed
// at the end.
func (b *bench) tryAll(ctx context.Context, mutants *queue, book *logbook) (err error) {
	defer func() { err = errors.Join(err, b.healAll(ctx)) }()
	if err := b.healAll(ctx); err != nil { // what a dead run left behind
		return err
	}
	var now Component
	for {
		mutant, ok := mutants.next(now)
		if !ok {
			return nil
		}
		if now != "" && now != mutant.Component {
			if err := b.heal(ctx, now); err != nil {
				return err
			}
		}
		now = mutant.Component
		outcome, err := b.try(ctx, mutant)
		if err != nil {
			return fmt.Errorf("mutant %s: %w", mutant.Name, err)
		}
		if err := book.enter(b.name, outcome); err != nil {
			return err
		}
	}
}

// switchTime is how long a component may take to become something else, on a
// busy machine.
const switchTime = 3 * time.Minute

// try turns the cluster into a mutant and checks it. A run that does not come to
// a verdict is an outcome too: the others go on.
func (b *bench) try(ctx context.Context, mutant Mutant) (Outcome, error) {
	began := time.Now()
	b.tried = append(b.tried, mutant)
	if err := b.become(ctx, mutant); err != nil {
		return Outcome{}, err
	}
	found, err := b.rollcall.run(ctx, mutant.Name, mutant.level(b.catalogue), mutant.focus())
	var outcome Outcome
	switch {
	case err == nil:
		outcome = compare(mutant, found)
	case ctx.Err() != nil:
		return Outcome{}, err
	default:
		outcome = unseen(mutant, err)
	}
	outcome.Took = time.Since(began)
	return outcome, nil
}

func (b *bench) become(ctx context.Context, mutant Mutant) error {
	ctx, cancel := context.WithTimeout(ctx, switchTime)
	defer cancel()
	return b.actors[mutant.Component].become(ctx, mutant)
}

// heal heals a component if need be, also when we were told to stop, and makes
// sure that it is healed.
func (b *bench) heal(ctx context.Context, component Component) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), switchTime)
	defer cancel()
	actor := b.actors[component]
	broken, err := actor.broken(ctx)
	if !broken && err == nil {
		return nil
	}
	if err = actor.heal(ctx); err == nil {
		if broken, err = actor.broken(ctx); broken {
			err = errors.New("it was healed and is broken again")
		}
	}
	if err != nil {
		return fmt.Errorf("%s is not healed, make the cluster anew: %w", component, err)
	}
	return nil
}

func (b *bench) healAll(ctx context.Context) error {
	var faults []error
	for _, component := range components {
		faults = append(faults, b.heal(ctx, component))
	}
	return errors.Join(faults...)
}

// control checks on the healed cluster what was checked of its mutants.
func (b *bench) control(ctx context.Context) error {
	if len(b.tried) == 0 {
		return nil
	}
	began := time.Now()
	// Shorter limits are for what does not come. Here all of it comes, and a limit too
	// short would only show that the machine is busy.
	patient := b.rollcall
	patient.scale = max(1, patient.scale)
	found, err := patient.run(ctx, "healed", highest(b.tried, b.catalogue), union(b.tried, Mutant.focus))
	if err != nil {
		return fmt.Errorf("healed: %w", err)
	}
	b.healed = control(b.tried, found)
	b.healed.Took = time.Since(began)
	return nil
}
