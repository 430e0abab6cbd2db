package scene

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"rollcall.dev/rollcall/framework/limit"
)

// SpecAnnotation carries, on a namespace, the text of the spec that made it.
const SpecAnnotation = "rollcall.dev/spec"

// Cluster is what every spec of a run shares. It is given to the suites when
// they describe their specs and filled in before the first one runs; nothing
// in it changes after that.
type Cluster struct {
	Client kubernetes.Interface
	// RunID names the run; it labels everything that the run creates.
	RunID string
	// Image is the one image that every Pod of a spec runs.
	Image string
	// PullSecret is a docker config secret that is copied into each namespace,
	// nil if the image needs none.
	PullSecret *corev1.Secret
	// Version is that of the API server.
	Version *version.Version
	// Roster is the nodes that are meant to be covered: name to UID.
	Roster map[string]types.UID
	// Ahead tells how far at least the API server's clock is ahead of this machine's;
	// nil if nothing is known of it.
	Ahead func() time.Duration
	// Config reaches the same cluster, for programs that make their own client.
	Config *rest.Config
	// Home is rollcall's own namespace, where the journal of changes to nodes is.
	Home string
	// Lent is the nodes that may be disturbed: name to UID. EvictOthers allows
	// that other people's Pods are evicted from them.
	Lent        map[string]types.UID
	EvictOthers bool
	// KubectlPath is the user's own kubectl; empty means the one built in.
	KubectlPath string
	// Scale multiplies every time limit; 1 is the documented one.
	Scale float64
	// Histories is a folder for the histories of the specs that fail, or of all of
	// them; empty keeps none.
	Histories    string
	AllHistories bool
	// Announce tells the run what the spec is waiting for; nil is allowed.
	Announce func(what string)

	desk *Desk
}

// Longest is how long a wait may take on this cluster.
func (c *Cluster) Longest(within limit.Limit) time.Duration {
	return c.scaled(within.On(len(c.Roster)))
}

func (c *Cluster) scaled(limit time.Duration) time.Duration {
	return time.Duration(float64(limit) * c.Scale)
}

func (c *Cluster) announce(what string) {
	if c.Announce != nil {
		c.Announce(what)
	}
}
