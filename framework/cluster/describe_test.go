package cluster

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestDescribe(t *testing.T) {
	connection, _ := connectionTo(
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "kube-system", UID: "cluster-uid"}},
		worker("one"), worker("two", notReady), worker("win", labelled(corev1.LabelOSStable, "windows")),
	)
	facts, err := connection.Describe(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if facts.UID != "cluster-uid" || len(facts.Nodes) != 3 {
		t.Errorf("got %+v", facts)
	}
	if diff := cmp.Diff(Roster{"one": "uid-of-one", "two": "uid-of-two"}, facts.Roster); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"node two is on the roster and not Ready"}, facts.Warnings); diff != "" {
		t.Error(diff)
	}
}

func TestExcluded(t *testing.T) {
	for name, test := range map[string]struct {
		node *corev1.Node
		want string
	}{
		"an ordinary node":   {worker("n"), ""},
		"without an OS yet":  {worker("n", labelled(corev1.LabelOSStable, "")), ""},
		"a control plane":    {worker("n", labelled("node-role.kubernetes.io/control-plane", "")), ""},
		"tainted by a user":  {worker("n", tainted("dedicated", corev1.TaintEffectNoSchedule)), ""},
		"NotReady":           {worker("n", notReady), ""},
		"Windows":            {worker("n", labelled(corev1.LabelOSStable, "windows")), "not Linux (kubernetes.io/os=windows)"},
		"a virtual kubelet":  {worker("n", labelled("type", "virtual-kubelet")), "a virtual kubelet (type=virtual-kubelet)"},
		"Fargate":            {worker("n", labelled("eks.amazonaws.com/compute-type", "fargate")), "Fargate (eks.amazonaws.com/compute-type=fargate)"},
		"autoscaled away":    {worker("n", tainted("ToBeDeletedByClusterAutoscaler", corev1.TaintEffectNoSchedule)), "leaving: the cluster autoscaler removes it (taint ToBeDeletedByClusterAutoscaler)"},
		"Karpenter's victim": {worker("n", tainted("karpenter.sh/disrupted", corev1.TaintEffectNoSchedule)), "leaving: Karpenter removes it (taint karpenter.sh/disrupted)"},
		"not set up yet":     {worker("n", tainted("node.cloudprovider.kubernetes.io/uninitialized", corev1.TaintEffectNoSchedule)), "joining: its cloud provider has not set it up (taint node.cloudprovider.kubernetes.io/uninitialized)"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Excluded(test.node); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestLent(t *testing.T) {
	lent := labelled(LentLabel, "true")
	control := labelled("node-role.kubernetes.io/control-plane", "")
	for name, test := range map[string]struct {
		nodes []*corev1.Node
		want  []string
	}{
		"a worker":                             {[]*corev1.Node{worker("a", lent), worker("b")}, []string{"a"}},
		"not the node of the run":              {[]*corev1.Node{worker("own", lent), worker("b", lent)}, []string{"b"}},
		"not a control plane beside a worker":  {[]*corev1.Node{worker("a", lent), worker("c", lent, control)}, []string{"a"}},
		"a control plane that alone is lent":   {[]*corev1.Node{worker("a"), worker("c", lent, control)}, []string{"c"}},
		"not a node that is not on the roster": {[]*corev1.Node{worker("a", lent, labelled("type", "virtual-kubelet"))}, nil},
		"nobody":                               {[]*corev1.Node{worker("a")}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(nodeNameEnv, "own")
			var got []string
			for _, node := range factsOf(test.nodes...).Nodes {
				if node.Lent {
					got = append(got, node.Name)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestLentSelector(t *testing.T) {
	_, err := LentSelector("a==b==c")
	wantUsage(t, err, "a==b==c")
}
