package cluster

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"

	"rollcall.dev/rollcall/framework/requirement"
)

const image = "rollcall.dev/rollcall:dev"

func with(listed string) func(*corev1.Node) {
	return func(n *corev1.Node) { n.Status.Images = []corev1.ContainerImage{{Names: []string{listed}}} }
}

// stage is a fake cluster that does what a preflight needs: it lets everybody
// do everything, gives names and ServiceAccounts, keeps nothing of a dry run and
// runs Pods until fate says otherwise.
func stage(fate map[string]corev1.PodStatus, objects ...runtime.Object) (*Connection, *fake.Clientset) {
	connection, client := connectionTo(objects...)
	client.PrependReactor("create", "selfsubjectaccessreviews", func(action clienttesting.Action) (bool, runtime.Object, error) {
		return true, &authorizationv1.SelfSubjectAccessReview{Status: authorizationv1.SubjectAccessReviewStatus{Allowed: true}}, nil
	})
	made := 0
	client.PrependReactor("create", "*", func(action clienttesting.Action) (bool, runtime.Object, error) {
		create := action.(clienttesting.CreateActionImpl)
		object, ok := create.GetObject().(metav1.Object)
		if !ok {
			return false, nil, nil
		}
		if len(create.CreateOptions.DryRun) > 0 {
			return true, create.GetObject(), nil
		}
		if object.GetName() == "" {
			made++
			object.SetName(fmt.Sprintf("%s%d", object.GetGenerateName(), made))
		}
		if pod, ok := object.(*corev1.Pod); ok {
			pod.Status = fate[pod.Annotations[probeNodeLabel]]
		}
		if namespace, ok := object.(*corev1.Namespace); ok {
			account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: namespace.Name, Name: "default"}}
			_ = client.Tracker().Add(account)
		}
		return false, nil, nil
	})
	return connection, client
}

func settingsFor(facts *Facts) Settings {
	return Settings{Level: requirement.Namespace, RunID: "run1", Namespace: "rollcall", Image: image, Facts: facts}
}

// wantNoTrace fails if a namespace of a preflight is there.
func wantNoTrace(t *testing.T, client *fake.Clientset) {
	t.Helper()
	found, err := client.CoreV1().Namespaces().List(t.Context(), metav1.ListOptions{})
	if err != nil || len(found.Items) > 0 {
		t.Errorf("left behind: %v %v", found.Items, err)
	}
}

func TestPreflightOfAGoodCluster(t *testing.T) {
	connection, client := stage(nil)
	findings, err := connection.Preflight(t.Context(), settingsFor(factsOf(worker("a", with(image)), worker("b", with(image)))))
	if err != nil {
		t.Fatal(err)
	}
	if len(findings.Warnings) > 0 {
		t.Errorf("warnings %q", findings.Warnings)
	}
	if why, ok := findings.Lacking[requirement.TwoNodes]; ok {
		t.Errorf("two nodes are lacking: %s", why)
	}
	if _, ok := findings.Lacking[requirement.LentNode]; !ok {
		t.Error("a lent node is not lacking")
	}
	wantNoTrace(t, client)
}

func TestPreflightProbesTheImage(t *testing.T) {
	good := terminated("Completed", "")
	bad := waiting("ErrImagePull", "not found")
	for name, test := range map[string]struct {
		nodes []*corev1.Node
		fate  map[string]corev1.PodStatus
		says  string
	}{
		"that no node lists and every node has": {[]*corev1.Node{worker("a"), worker("b")}, map[string]corev1.PodStatus{"a": good, "b": good}, ""},
		"that a node lacks":                     {[]*corev1.Node{worker("a", with(image)), worker("b")}, map[string]corev1.PodStatus{"b": bad}, "node b cannot run the image " + image + ": ErrImagePull: not found"},
		"not on a node that is silent":          {[]*corev1.Node{worker("a", with(image)), worker("b", notReady)}, map[string]corev1.PodStatus{"b": bad}, ""},
		"not on a node off the roster":          {[]*corev1.Node{worker("a", with(image)), worker("b", labelled("type", "virtual-kubelet"))}, map[string]corev1.PodStatus{"b": bad}, ""},
		"of another machine":                    {[]*corev1.Node{worker("a")}, map[string]corev1.PodStatus{"a": terminated("StartError", "exec format error")}, "exec format error"},
	} {
		t.Run(name, func(t *testing.T) {
			connection, client := stage(test.fate)
			_, err := connection.Preflight(t.Context(), settingsFor(factsOf(test.nodes...)))
			if test.says == "" && err != nil {
				t.Error(err)
			}
			if test.says != "" {
				wantEnvironment(t, err, test.says)
			}
			wantNoTrace(t, client)
		})
	}
}

func TestPreflightStartsNoPodAtLevelAPI(t *testing.T) {
	connection, client := stage(nil)
	settings := settingsFor(factsOf(worker("a")))
	settings.Level = requirement.API
	if _, err := connection.Preflight(t.Context(), settings); err != nil {
		t.Fatal(err)
	}
	for _, action := range client.Actions() {
		create, ok := action.(clienttesting.CreateActionImpl)
		if ok && action.GetResource().Resource == "pods" && len(create.CreateOptions.DryRun) == 0 {
			t.Error("it started a Pod")
		}
	}
}

func TestPreflightRefusesBeforeItCreates(t *testing.T) {
	old := factsOf(worker("a"))
	old.Version, old.GitVersion = version.MustParseGeneric("1.28.3"), "v1.28.3"
	for name, test := range map[string]struct {
		facts *Facts
		says  string
	}{
		"an old release": {old, "the cluster runs Kubernetes v1.28.3"},
		"silent nodes":   {factsOf(worker("a", notReady)), "none of them is Ready"},
		"no node at all": {factsOf(), "no node can be checked"},
	} {
		t.Run(name, func(t *testing.T) {
			connection, client := stage(nil)
			_, err := connection.Preflight(t.Context(), settingsFor(test.facts))
			wantEnvironment(t, err, test.says)
			if len(client.Actions()) > 0 {
				t.Errorf("it did %v", client.Actions())
			}
		})
	}
}

func TestPreflightNamesTheMissingRights(t *testing.T) {
	connection := authorizer(t, func(asked authorizationv1.ResourceAttributes) bool { return false })
	_, err := connection.Preflight(t.Context(), settingsFor(factsOf(worker("a"))))
	wantEnvironment(t, err, "cannot create configmaps in the namespace rollcall", "more", "rollcall manifests --level namespace")
}

func TestPreflightNamesAPolicy(t *testing.T) {
	for what, resource := range map[string]string{"a namespace": "namespaces", "a Pod": "pods"} {
		t.Run(what, func(t *testing.T) {
			connection, client := stage(nil)
			client.PrependReactor("create", resource, func(clienttesting.Action) (bool, runtime.Object, error) {
				return true, nil, apierrors.NewForbidden(schema.GroupResource{Resource: resource}, "",
					errors.New("ValidatingAdmissionPolicy 'team' denied request: no owner label"))
			})
			_, err := connection.Preflight(t.Context(), settingsFor(factsOf(worker("a"))))
			wantEnvironment(t, err, "an admission policy of the cluster refuses "+what, "no owner label")
			wantNoTrace(t, client)
		})
	}
}

func TestPreflightWithoutAPrivilegedNamespace(t *testing.T) {
	connection, client := stage(nil)
	client.PrependReactor("create", "namespaces", func(action clienttesting.Action) (bool, runtime.Object, error) {
		namespace := action.(clienttesting.CreateAction).GetObject().(*corev1.Namespace)
		if namespace.Labels[enforceLabel] != privileged {
			return false, nil, nil
		}
		return true, nil, apierrors.NewForbidden(schema.GroupResource{Resource: "namespaces"}, "", errors.New("denied request"))
	})
	findings, err := connection.Preflight(t.Context(), settingsFor(factsOf(worker("a", with(image)))))
	if err != nil {
		t.Fatal(err)
	}
	wantLine(t, findings.Lacking[requirement.HostNetwork], "refuses a privileged namespace")
}

func TestPreflightWarnings(t *testing.T) {
	newer := factsOf(worker("a", with(image), tainted("dedicated", corev1.TaintEffectNoSchedule)))
	newer.Version, newer.GitVersion = version.MustParseGeneric("1.99.0"), "v1.99.0"
	connection, _ := stage(nil,
		&corev1.Namespace{ObjectMeta: left("rollcall-old", "dead")},
		leaseRenewed("ahead", -10*time.Second), leaseRenewed("fine", 5*time.Second), leaseRenewed("behind", 20*time.Second),
		leaseRenewed("silent", time.Hour),
	)
	findings, err := connection.Preflight(t.Context(), settingsFor(newer))
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Join(findings.Warnings, "\n")
	for _, want := range []string{
		"the cluster runs Kubernetes v1.99.0", "every worker has a taint (dedicated:NoSchedule)",
		"an earlier run left rollcall-old", "the clock of node ahead is ahead", "the clock of node behind is behind",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("no warning says %q:\n%s", want, all)
		}
	}
	if why := findings.Lacking[requirement.OneNode]; why == "" {
		t.Error("with a taint on every worker no requirement can be seen at a Pod")
	}
	if len(findings.Warnings) != 5 {
		t.Errorf("%d warnings:\n%s", len(findings.Warnings), all)
	}
}

func TestPreflightWarnsOfALimitRange(t *testing.T) {
	connection, client := stage(nil)
	client.PrependReactor("list", "limitranges", func(clienttesting.Action) (bool, runtime.Object, error) {
		return true, &corev1.LimitRangeList{Items: []corev1.LimitRange{{ObjectMeta: metav1.ObjectMeta{Name: "company-defaults"}}}}, nil
	})
	findings, err := connection.Preflight(t.Context(), settingsFor(factsOf(worker("a", with(image)))))
	if err != nil {
		t.Fatal(err)
	}
	if all := strings.Join(findings.Warnings, "\n"); !strings.Contains(all, "the LimitRange company-defaults") {
		t.Errorf("no warning names it: %q", all)
	}
}

func leaseRenewed(node string, ago time.Duration) runtime.Object {
	lease := heldSince(node, ago)
	lease.Namespace, lease.Name = corev1.NamespaceNodeLease, node
	return lease
}

func TestChanges(t *testing.T) {
	asked := fixturePod(settingsFor(nil))
	got := asked.DeepCopy()
	got.Spec.Tolerations = []corev1.Toleration{{Key: corev1.TaintNodeNotReady, Effect: corev1.TaintEffectNoExecute}}
	got.Spec.SchedulerName = "default-scheduler"
	if list := changes(asked, got); len(list) > 0 {
		t.Errorf("what Kubernetes fills in counts as a change: %q", list)
	}
	got.Spec.Containers = append(got.Spec.Containers, corev1.Container{Name: "istio-proxy"})
	got.Spec.Containers[0].Resources = corev1.ResourceRequirements{}
	got.Spec.NodeSelector = map[string]string{"pool": "a"}
	got.Spec.Tolerations = append(got.Spec.Tolerations, corev1.Toleration{Key: "gpu"})
	all := strings.Join(changes(asked, got), "\n")
	for _, want := range []string{"adds the container istio-proxy", "changes the resources", "node selector", "tolerations to every Pod (gpu)"} {
		if !strings.Contains(all, want) {
			t.Errorf("no change says %q:\n%s", want, all)
		}
	}
}
