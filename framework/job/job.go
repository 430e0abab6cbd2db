package job

import (
	"context"
	"errors"
	"fmt"
	"io"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/e2e-framework/klient/k8s"
	"sigs.k8s.io/e2e-framework/klient/k8s/resources"

	"rollcall.dev/rollcall/fixtures/manifests"
	"rollcall.dev/rollcall/framework/cluster"
	"rollcall.dev/rollcall/framework/exit"
)

// Options are what the user asked of a Job.
type Options struct {
	manifests.Options
	// Keep leaves everything that was created in the cluster.
	Keep bool
	// Log receives what the Job's Pod prints; Progress a line for each step.
	Log      io.Writer
	Progress func(string)
}

// objects is what this package asks of the e2e-framework's client.
type objects interface {
	Get(ctx context.Context, name, namespace string, object k8s.Object) error
	Create(ctx context.Context, object k8s.Object, options ...resources.CreateOption) error
	Delete(ctx context.Context, object k8s.Object, options ...resources.DeleteOption) error
}

// job is one Job from its first to its last object.
type job struct {
	Options
	client  kubernetes.Interface
	objects objects
	created []k8s.Object
	// uid is the Job's, by which its Events are known.
	uid string
}

// Start connects to the cluster, makes sure that it answers, and runs the Job
// there.
func Start(ctx context.Context, target cluster.Target, options Options) (*Outcome, error) {
	connection, err := cluster.Connect(target)
	if err != nil {
		return nil, err
	}
	options.Progress(fmt.Sprintf("cluster %s", connection))
	if _, err := connection.Describe(ctx, nil); err != nil {
		return nil, err
	}
	if err := demandRights(ctx, connection, options.Namespace); err != nil {
		return nil, err
	}
	return Run(ctx, connection, options)
}

// Run runs the Job to its end and returns how it ended. Whatever keeps it from
// beginning is an exit.EnvironmentError of one line. When ctx ends, the Job's
// Pod is told to stop, and its report is still waited for.
func Run(ctx context.Context, connection *cluster.Connection, options Options) (*Outcome, error) {
	config := rest.CopyConfig(connection.Config)
	// The API server's warnings would go into a log that nobody set up.
	config.WarningHandler = rest.NoWarnings{}
	store, err := resources.New(config)
	if err != nil {
		return nil, exit.Environmentf("the cluster %s cannot be used: %w", connection, err)
	}
	j := &job{Options: options, client: connection.Client, objects: store}
	return j.run(ctx)
}

func (j *job) run(ctx context.Context) (*Outcome, error) {
	outcome, err := j.carryOut(ctx)
	if j.Keep {
		return outcome, err
	}
	return outcome, errors.Join(err, j.remove(ctx))
}

// carryOut does all but the clean-up.
func (j *job) carryOut(ctx context.Context) (*Outcome, error) {
	j.Progress(fmt.Sprintf("creating the Job %s/%s and the rights of level %s", j.Namespace, manifests.Name, j.Level))
	if err := j.create(ctx); err != nil {
		return nil, err
	}
	j.Progress("waiting for its Pod to start")
	pod, err := j.awaitStart(ctx)
	if err != nil {
		return nil, err
	}
	j.Progress(fmt.Sprintf("Pod %s runs on node %s", pod.Name, pod.Spec.NodeName))
	ended, err := j.follow(ctx, pod)
	if err != nil {
		return nil, err
	}
	return j.outcome(ctx, ended)
}
