package mishaps

import (
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"sigs.k8s.io/kind/pkg/cluster/nodes"
	"sigs.k8s.io/kind/pkg/cluster/nodeutils"

	"rollcall.dev/rollcall/framework/cluster"
	"rollcall.dev/rollcall/kind"
)

var (
	clusterName = flag.String("cluster", "", "the kind cluster in which runs meet mishaps; no test runs without one")
	image       = flag.String("image", "rollcall.dev/rollcall:dev", "rollcall's image, which the nodes have")
	program     = flag.String("program", "../../bin/rollcall", "the rollcall that is run")
	reports     = flag.String("reports", "", "folder to keep the reports and the outputs in")
)

// stage is a cluster in which something goes wrong. When its test ends, it must be
// as it was when the test began.
type stage struct {
	*testing.T
	connection *cluster.Connection
	client     kubernetes.Interface
}

// open returns the cluster as it is, with nothing left in it from a run before.
func open(t *testing.T) *stage {
	t.Helper()
	if *clusterName == "" {
		t.Skip("no -cluster is given: see make mishaps")
	}
	connection, err := cluster.Connect(cluster.Target{Context: kind.Open(*clusterName, nil).Context()})
	if err != nil {
		t.Fatal(err)
	}
	s := &stage{T: t, connection: connection, client: connection.Client}
	s.cleanUp()
	before := s.inventory()
	t.Cleanup(func() {
		s.cleanUp()
		if difference := cmp.Diff(before, s.inventory()); difference != "" {
			t.Errorf("the cluster is not as it was before (-before +after):\n%s", difference)
		}
	})
	return s
}

// must ends the test where the stage itself cannot be set.
func (s *stage) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// afterwards does something when the test ends, before the cluster is looked at.
func (s *stage) afterwards(do func(context.Context) error) {
	s.Cleanup(func() {
		// The context of a test is over by now.
		ctx, cancel := context.WithTimeout(context.Background(), longest)
		defer cancel()
		if err := do(ctx); err != nil {
			s.Error(err)
		}
	})
}

// cleanUp runs `rollcall cleanup` as soon as no run holds the lock any more. A
// killed one does for a minute, and nothing tells when a Lease expires.
func (s *stage) cleanUp() {
	s.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), longest)
	defer cancel()
	for {
		live, err := s.connection.LiveRuns(ctx, cluster.DefaultNamespace)
		s.must(err)
		if live.Len() == 0 {
			break
		}
		time.Sleep(time.Second)
	}
	output, err := exec.CommandContext(ctx, *program, "cleanup", "--context", s.connection.Context).CombinedOutput()
	if err != nil {
		s.Fatalf("rollcall cleanup: %v\n%s", err, output)
	}
	s.Logf("%s", output)
}

// workers are the names of the nodes that are lent to runs.
func (s *stage) workers() []string {
	s.Helper()
	lent, err := s.client.CoreV1().Nodes().List(s.Context(), metav1.ListOptions{LabelSelector: cluster.LentLabel + "=true"})
	s.must(err)
	var names []string
	for _, node := range lent.Items {
		names = append(names, node.Name)
	}
	slices.Sort(names)
	return names
}

// controlPlane is the container of the node that runs the API server.
func (s *stage) controlPlane() nodes.Node {
	s.Helper()
	present, err := kind.Open(*clusterName, nil).Nodes()
	s.must(err)
	node, err := nodeutils.BootstrapControlPlaneNode(present)
	s.must(err)
	return node
}

// state is what a run must leave as it found it.
type state struct {
	Nodes map[string]corev1.Node
	// Others are kinds and names.
	Others []string
}

// kinds are all that a run may make outside its own namespaces.
var kinds = []schema.GroupVersionResource{
	{Version: "v1", Resource: "namespaces"},
	{Version: "v1", Resource: "configmaps"},
	{Version: "v1", Resource: "serviceaccounts"},
	{Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "roles"},
	{Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "rolebindings"},
	{Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "clusterroles"},
	{Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "clusterrolebindings"},
	{Group: "coordination.k8s.io", Version: "v1", Resource: "leases"},
	{Group: "policy", Version: "v1", Resource: "poddisruptionbudgets"},
	{Group: "scheduling.k8s.io", Version: "v1", Resource: "priorityclasses"},
	{Group: "storage.k8s.io", Version: "v1", Resource: "csinodes"},
}

// inventory is the nodes, without what time alone changes, and what else there is.
func (s *stage) inventory() state {
	s.Helper()
	ctx := context.Background()
	found := state{Nodes: map[string]corev1.Node{}}
	nodes, err := s.client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	s.must(err)
	for _, node := range nodes.Items {
		node.ResourceVersion, node.ManagedFields, node.Status = "", nil, corev1.NodeStatus{}
		found.Nodes[node.Name] = node
	}
	names, err := metadata.NewForConfig(s.connection.Config)
	s.must(err)
	for _, kind := range kinds {
		list, err := names.Resource(kind).List(ctx, metav1.ListOptions{})
		s.must(err)
		for _, each := range list.Items {
			found.Others = append(found.Others, kind.Resource+" "+each.Namespace+"/"+each.Name)
		}
	}
	slices.Sort(found.Others)
	return found
}

// folder is where a test's reports and outputs go.
func (s *stage) folder() string {
	s.Helper()
	if *reports == "" {
		return s.TempDir()
	}
	folder := filepath.Join(*reports, s.Name())
	s.must(os.MkdirAll(folder, 0o755))
	return folder
}
