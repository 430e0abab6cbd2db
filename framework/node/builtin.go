package node

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/kubectl/pkg/cmd/drain"
	cmdutil "k8s.io/kubectl/pkg/cmd/util"
)

// Builtin is kubectl's own commands of the release that rollcall is built with,
// run in this process against one cluster.
type Builtin struct{ Config *rest.Config }

// one lets one command run at a time: kubectl keeps what it does on a fatal error
// in a variable of the process.
var one sync.Mutex

// fatal ends a command in place of os.Exit.
type fatal struct{ code int }

// Run runs a command. When ctx ends, its next call of the API server fails.
func (b Builtin) Run(ctx context.Context, args ...string) (answer Answer, err error) {
	one.Lock()
	defer one.Unlock()
	var out, errOut lockedBuffer
	defer func() {
		answer = Answer{Out: out.String(), Err: errOut.String(), Code: answer.Code}
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
	}()
	return Answer{Code: b.execute(ctx, bounded(args), &out, &errOut)}, nil
}

// execute returns the exit code that the program would have ended with.
func (b Builtin) execute(ctx context.Context, args []string, out, errOut *lockedBuffer) (code int) {
	cmdutil.BehaviorOnFatal(func(message string, code int) {
		fmt.Fprint(errOut, lined(message))
		panic(fatal{code})
	})
	defer cmdutil.DefaultBehaviorOnFatal()
	defer func() {
		if end, ok := recover().(fatal); ok {
			code = end.code
		}
	}()
	command := b.command(ctx, genericiooptions.IOStreams{In: strings.NewReader(""), Out: out, ErrOut: errOut})
	command.SetArgs(args)
	if err := command.ExecuteContext(ctx); err != nil {
		fmt.Fprint(errOut, lined("error: "+err.Error()))
		return 1
	}
	return 0
}

// command is the part of kubectl that acts on nodes.
func (b Builtin) command(ctx context.Context, streams genericiooptions.IOStreams) *cobra.Command {
	root := &cobra.Command{Use: "kubectl", SilenceErrors: true, SilenceUsage: true}
	factory := cmdutil.NewFactory(frozen{b.within(ctx)})
	root.AddCommand(drain.NewCmdCordon(factory, streams), drain.NewCmdUncordon(factory, streams), drain.NewCmdDrain(factory, streams))
	root.SetOut(streams.Out)
	root.SetErr(streams.ErrOut)
	return root
}

// within returns a configuration whose calls fail once ctx has ended: kubectl's
// commands take no context.
func (b Builtin) within(ctx context.Context) *rest.Config {
	config := rest.CopyConfig(b.Config)
	config.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return trip(func(request *http.Request) (*http.Response, error) {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			return next.RoundTrip(request)
		})
	})
	return config
}

type trip func(*http.Request) (*http.Response, error)

func (t trip) RoundTrip(request *http.Request) (*http.Response, error) { return t(request) }

// frozen answers kubectl's questions about the cluster with one configuration,
// whatever the kubeconfig says by now.
type frozen struct{ config *rest.Config }

func (f frozen) ToRESTConfig() (*rest.Config, error) { return rest.CopyConfig(f.config), nil }

func (f frozen) ToDiscoveryClient() (discovery.CachedDiscoveryInterface, error) {
	client, err := discovery.NewDiscoveryClientForConfig(f.config)
	if err != nil {
		return nil, err
	}
	return memory.NewMemCacheClient(client), nil
}

func (f frozen) ToRESTMapper() (meta.RESTMapper, error) {
	client, err := f.ToDiscoveryClient()
	if err != nil {
		return nil, err
	}
	return restmapper.NewDeferredDiscoveryRESTMapper(client), nil
}

func (f frozen) ToRawKubeConfigLoader() clientcmd.ClientConfig {
	return clientcmd.NewDefaultClientConfig(kubeconfigOf(f.config), &clientcmd.ConfigOverrides{})
}

// lockedBuffer takes what kubectl writes from several goroutines.
type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *lockedBuffer) Write(data []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(data)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func lined(message string) string {
	if message == "" || strings.HasSuffix(message, "\n") {
		return message
	}
	return message + "\n"
}
