package cluster

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"rollcall.dev/rollcall/framework/exit"
	"rollcall.dev/rollcall/framework/release"
)

// kindPrefix starts the name of every context that kind writes. Such a cluster
// is a local one, made to be thrown away.
const kindPrefix = "kind-"

// Target is what the user said about the cluster, as kubectl's flags do.
type Target struct {
	// Kubeconfig is the path of a kubeconfig; empty means kubectl's own order:
	// $KUBECONFIG, ~/.kube/config, the Pod's ServiceAccount.
	Kubeconfig string
	// Context is the name of a context in it; empty leaves the choice to
	// Connect, which makes one only where it can do no harm.
	Context string
}

// Connection is a cluster that was chosen once and for all: later changes of
// the kubeconfig do not move it.
type Connection struct {
	// Config speaks JSON, for clients that are built elsewhere.
	Config *rest.Config
	Client kubernetes.Interface
	// Context is the kubeconfig's name for the cluster; empty in a cluster.
	Context string
	// Server is the address of the API server.
	Server    string
	InCluster bool

	clock *clock
}

// String names the cluster as the user knows it.
func (c *Connection) String() string {
	if c.InCluster {
		return "of this Pod (" + c.Server + ")"
	}
	return c.Context + " (" + c.Server + ")"
}

// Connect chooses the cluster and makes a client for it, without calling it.
//
// Out of a cluster, a context that nobody named is taken only if it is kind's
// and the current one; otherwise the error lists the contexts to choose from.
// Every error is an exit.UsageError.
func Connect(target Target) (*Connection, error) {
	raw, err := load(target.Kubeconfig)
	if err != nil {
		return nil, err
	}
	if len(raw.Contexts) == 0 && target.Kubeconfig == "" && target.Context == "" {
		if config, err := rest.InClusterConfig(); err == nil {
			return newConnection(config, "")
		}
	}
	name, err := chooseContext(raw, target.Context)
	if err != nil {
		return nil, err
	}
	config, err := clientcmd.NewNonInteractiveClientConfig(*raw, name, nil, nil).ClientConfig()
	if err != nil {
		return nil, exit.Usagef("context %q cannot be used: %w", name, err)
	}
	return newConnection(config, name)
}

// load reads the kubeconfig by kubectl's rules. A file that was named must be
// there; of the default files any may be missing.
func load(path string) (*clientcmdapi.Config, error) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = path
	raw, err := rules.Load()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, exit.Usagef("the kubeconfig %s does not exist", path)
	case err != nil:
		return nil, exit.Usagef("the kubeconfig cannot be read: %w", err)
	case len(raw.Contexts) == 0 && path != "":
		return nil, exit.Usagef("the kubeconfig %s holds no context", path)
	}
	return raw, nil
}

func chooseContext(raw *clientcmdapi.Config, asked string) (string, error) {
	if len(raw.Contexts) == 0 {
		return "", exit.Usagef("there is no kubeconfig: %s; name one with --kubeconfig", whereLooked())
	}
	if asked != "" {
		if _, ok := raw.Contexts[asked]; !ok {
			return "", exit.Usagef("there is no context %q; there is %s", asked, contextNames(raw))
		}
		return asked, nil
	}
	current := raw.CurrentContext
	if _, ok := raw.Contexts[current]; ok && strings.HasPrefix(current, kindPrefix) {
		return current, nil
	}
	return "", exit.Usagef("say which cluster with --context; there is %s", contextNames(raw))
}

func whereLooked() string {
	if named := os.Getenv(clientcmd.RecommendedConfigPathEnvVar); named != "" {
		return fmt.Sprintf("$%s names %s", clientcmd.RecommendedConfigPathEnvVar, named)
	}
	return "looked for " + clientcmd.RecommendedHomeFile
}

// contextNames lists the contexts in one line.
func contextNames(raw *clientcmdapi.Config) string {
	return strings.Join(slices.Sorted(maps.Keys(raw.Contexts)), ", ")
}

func newConnection(config *rest.Config, context string) (*Connection, error) {
	// Priority and Fairness on the server is the better throttle; ours only
	// keeps a fault of our own from flooding it.
	config.QPS, config.Burst = 50, 100
	config.UserAgent = "rollcall/" + release.Version
	clock := &clock{}
	limitCalls(config, clock)

	// Events and node lists of a large cluster are several times smaller in
	// protobuf, which only the built-in types have.
	protobuf := rest.CopyConfig(config)
	protobuf.ContentType = runtime.ContentTypeProtobuf
	protobuf.AcceptContentTypes = runtime.ContentTypeProtobuf + "," + runtime.ContentTypeJSON
	client, err := kubernetes.NewForConfig(protobuf)
	if err != nil {
		return nil, exit.Usagef("the cluster at %s cannot be used: %w", config.Host, err)
	}
	return &Connection{
		Config: config, Client: client,
		Context: context, Server: config.Host, InCluster: context == "", clock: clock,
	}, nil
}
