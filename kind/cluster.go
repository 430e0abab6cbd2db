package kind

import (
	"context"
	"fmt"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/kind/pkg/apis/config/v1alpha4"
	"sigs.k8s.io/kind/pkg/cluster"
	"sigs.k8s.io/kind/pkg/cluster/nodes"

	"rollcall.dev/rollcall/kind/engine"
	"rollcall.dev/rollcall/kind/host"
	"rollcall.dev/rollcall/kind/nodeimage"
	"rollcall.dev/rollcall/kind/progress"
)

// DefaultName is the name of the cluster for which none is given. Its kubeconfig
// context is "kind-" and the name.
const DefaultName = "rollcall"

// Options say which cluster is wanted.
type Options struct {
	Name string
	// KubernetesVersion, such as v1.37.2; empty means nodeimage.DefaultVersion.
	KubernetesVersion string
	// Image is a node image to use as it is. Empty means to find or build one.
	Image string
	// ImageSource says where a node image may come from; empty means Auto.
	ImageSource nodeimage.Source
	// BinariesDir is the folder kind/binaries; empty means to look for it.
	BinariesDir string
	// Kubeconfig is a file to write the cluster's kubeconfig to, beside the
	// user's own.
	Kubeconfig string
	// HostSetup allows to install and start what is missing on this machine.
	HostSetup bool
	Progress  *progress.Printer
}

// Cluster is a cluster that exists.
type Cluster struct {
	Name     string
	provider *cluster.Provider
	progress *progress.Printer
}

// Context is the cluster's context in the kubeconfig.
func (c *Cluster) Context() string { return "kind-" + c.Name }

// Nodes are the cluster's node containers.
func (c *Cluster) Nodes() ([]nodes.Node, error) { return c.provider.ListInternalNodes(c.Name) }

// RESTConfig reaches the cluster from this machine.
func (c *Cluster) RESTConfig() (*rest.Config, error) {
	kubeconfig, err := c.provider.KubeConfig(c.Name, false)
	if err != nil {
		return nil, err
	}
	return clientcmd.RESTConfigFromKubeConfig([]byte(kubeconfig))
}

// Open returns a cluster by its name, whatever state it is in.
func Open(name string, printer *progress.Printer) *Cluster {
	if name == "" {
		name = DefaultName
	}
	provider := cluster.NewProvider(cluster.ProviderWithDocker(), cluster.ProviderWithLogger(logger{printer}))
	return &Cluster{Name: name, provider: provider, progress: printer}
}

// Create returns a healthy cluster as wanted: the one that is there, or a new
// one. A cluster that is dead, half made or made otherwise is taken away first.
func Create(ctx context.Context, options Options) (*Cluster, error) {
	info, err := engine.Ensure(ctx, options.engine())
	if err != nil {
		return nil, err
	}
	image, err := options.image(ctx)
	if err != nil {
		return nil, err
	}
	config, err := configFor(quirks{
		offlineImage:  image.Offline,
		cgroupV1:      info.CgroupV1(),
		noSysResource: info.NoSysResource(),
	})
	if err != nil {
		return nil, err
	}
	c := Open(options.Name, options.Progress)
	if err := c.ensure(ctx, config, image); err != nil {
		return nil, err
	}
	return c, c.export(options.Kubeconfig)
}

func (o Options) setup() host.Setup {
	return host.Setup{Allowed: o.HostSetup, Progress: o.Progress}
}

func (o Options) engine() engine.Options {
	return engine.Options{
		Setup: o.setup(),
		BuildRuntime: func(ctx context.Context) (string, error) {
			return nodeimage.BuildRuntime(ctx, o.BinariesDir)
		},
	}
}

// image is the node image that the options ask for.
func (o Options) image(ctx context.Context) (nodeimage.Image, error) {
	if o.Image != "" {
		if image, err := nodeimage.Inspect(ctx, o.Image); err == nil {
			return image, nil
		}
		step := o.Progress.Start("Pull the node image "+o.Image, 0)
		_, err := host.Run(ctx, "docker", "pull", o.Image)
		if step.End(err) != nil {
			return nodeimage.Image{}, fmt.Errorf("the node image %s is neither here nor can it be pulled: %w", o.Image, err)
		}
		return nodeimage.Inspect(ctx, o.Image)
	}
	return nodeimage.Ensure(ctx, o.nodeImage())
}

func (o Options) nodeImage() nodeimage.Options {
	return nodeimage.Options{
		Version:     o.KubernetesVersion,
		Source:      o.ImageSource,
		BinariesDir: o.BinariesDir,
		Setup:       o.setup(),
		Progress:    o.Progress,
	}
}

// Validate says what is wrong with the options as they are written, before
// anything is done.
func (o Options) Validate() error { return o.nodeImage().Validate() }

// BuildImage finds or builds the node image and makes no cluster.
func BuildImage(ctx context.Context, options Options) (nodeimage.Image, error) {
	if _, err := engine.Ensure(ctx, options.engine()); err != nil {
		return nodeimage.Image{}, err
	}
	return options.image(ctx)
}

// Delete takes a cluster away, and its entry in the kubeconfig. A cluster that
// is not there is no error.
func Delete(ctx context.Context, name string, printer *progress.Printer) error {
	if _, err := engine.Ask(ctx); err != nil {
		return fmt.Errorf("cannot reach the container engine, so no cluster can be taken away: %w", err)
	}
	return Open(name, printer).delete()
}

func (c *Cluster) delete() error {
	step := c.progress.Start("Take the cluster "+c.Name+" away", 5*time.Second)
	return step.End(c.provider.Delete(c.Name, ""))
}

// ensure makes the cluster unless a healthy one as wanted is there.
func (c *Cluster) ensure(ctx context.Context, config *v1alpha4.Cluster, image nodeimage.Image) error {
	print, err := fingerprint(config)
	if err != nil {
		return err
	}
	present, err := c.provider.ListNodes(c.Name)
	if err != nil {
		return err
	}
	if len(present) > 0 {
		fault := c.fault(ctx, len(config.Nodes), image, print)
		if fault == nil {
			c.progress.Note("the cluster %s is up and healthy", c.Name)
			return nil
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		c.progress.Note("the cluster %s cannot be used (%v): it is made anew", c.Name, fault)
		if err := c.delete(); err != nil {
			return err
		}
	}
	return c.create(ctx, config, image, print)
}

// readyTime is how long the nodes of a new cluster may take after kubeadm has
// joined them. A slow machine needs half a minute.
const readyTime = 2 * time.Minute

func (c *Cluster) create(ctx context.Context, config *v1alpha4.Cluster, image nodeimage.Image, print string) error {
	step := c.progress.Start(fmt.Sprintf("Make the cluster %s of %d nodes from %s", c.Name, len(config.Nodes), image.Name), 90*time.Second)
	if err := c.provide(ctx, config, image); err != nil {
		return step.End(err)
	}
	if err := c.awaitReady(ctx, readyTime); err != nil {
		return step.End(err)
	}
	return step.End(c.markComplete(ctx, print))
}

// provide runs kind, which cannot be interrupted. If we are, we leave: what it
// leaves half made lacks the mark of a complete cluster.
func (c *Cluster) provide(ctx context.Context, config *v1alpha4.Cluster, image nodeimage.Image) error {
	done := make(chan error, 1)
	go func() {
		done <- c.provider.Create(c.Name,
			cluster.CreateWithV1Alpha4Config(config),
			cluster.CreateWithNodeImage(image.Name))
	}()
	select {
	case err := <-done:
		if err != nil {
			return fmt.Errorf("kind cannot make the cluster: %w", explain(err))
		}
		return nil
	case <-ctx.Done():
		return fmt.Errorf("interrupted while kind made the cluster: %w", context.Cause(ctx))
	}
}

// export writes the kubeconfig to the user's usual place, and to a file of its
// own if one is asked for.
func (c *Cluster) export(file string) error {
	if err := c.provider.ExportKubeConfig(c.Name, "", false); err != nil {
		return fmt.Errorf("cannot write the kubeconfig: %w", err)
	}
	if file == "" {
		return nil
	}
	if err := c.provider.ExportKubeConfig(c.Name, file, false); err != nil {
		return fmt.Errorf("cannot write the kubeconfig %s: %w", file, err)
	}
	return nil
}
