package mishaps

import (
	"context"
	"fmt"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"rollcall.dev/rollcall/framework/await"
	"rollcall.dev/rollcall/framework/cluster"
	"rollcall.dev/rollcall/framework/report"
)

func TestPolicyRefusesEveryPod(t *testing.T) {
	s := open(t)
	s.refusePods()

	s.start("namespace", "coverage").mustSay(3, "no Pods from strangers")
}

func TestQuotaLeavesNoRoom(t *testing.T) {
	s := open(t)
	s.inEveryNamespace(func(ctx context.Context, namespace string) error {
		_, err := s.client.CoreV1().ResourceQuotas(namespace).Create(ctx, &corev1.ResourceQuota{
			ObjectMeta: metav1.ObjectMeta{Name: "full"},
			Spec:       corev1.ResourceQuotaSpec{Hard: corev1.ResourceList{corev1.ResourcePods: resource.MustParse("0")}},
		}, metav1.CreateOptions{})
		return err
	})

	s.start("namespace", "coverage").mustSay(3, "exceeded quota")
}

func TestPolicyAddsATolerationToEveryPod(t *testing.T) {
	s := open(t)
	s.changePods(appending("tolerations", `{key: "example.com/added", operator: "Exists"}`))

	found := s.start("namespace", "tolerations,coverage").mustAccuseNobody()

	if verdict, said := verdictOn(found, "TOL-01"); verdict != report.Unknown {
		t.Errorf("TOL-01 is %s, not inconclusive: %s", verdict, said)
	}
}

func TestPolicyAddsASidecarToEveryPod(t *testing.T) {
	s := open(t)
	s.changePods(appending("initContainers", fmt.Sprintf(`{name: "added", image: %q, command: ["/workload", "serve"], restartPolicy: "Always",
		securityContext: Object.spec.initContainers.securityContext{allowPrivilegeEscalation: false,
			capabilities: Object.spec.initContainers.securityContext.capabilities{drop: ["ALL"]}}}`, *image)))

	found := s.start("namespace", "coverage,resources,qos,termination").mustAccuseNobody()

	if len(found.Cluster.Warnings) == 0 {
		t.Error("the report does not warn of the sidecar")
	}
}

func TestLimitRangeInEveryNamespace(t *testing.T) {
	s := open(t)
	s.inEveryNamespace(func(ctx context.Context, namespace string) error {
		some := corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("10m"), corev1.ResourceMemory: resource.MustParse("32Mi")}
		_, err := s.client.CoreV1().LimitRanges(namespace).Create(ctx, &corev1.LimitRange{
			ObjectMeta: metav1.ObjectMeta{Name: "defaults"},
			Spec:       corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{{Type: corev1.LimitTypeContainer, DefaultRequest: some}}},
		}, metav1.CreateOptions{})
		return err
	})

	s.start("namespace", "coverage,resources,qos,initcontainers").mustAccuseNobody()
}

// appending is the expression of a patch that puts one more element into a list of
// a Pod's spec, which may not have the list yet.
func appending(list, element string) string {
	return fmt.Sprintf(`has(object.spec.%[1]s)
		? [JSONPatch{op: "add", path: "/spec/%[1]s/-", value: Object.spec.%[1]s%[2]s}]
		: [JSONPatch{op: "add", path: "/spec/%[1]s", value: [Object.spec.%[1]s%[2]s]}]`, list, element)
}

// inEveryNamespace does something in each namespace of rollcall as soon as it is
// there, as a tenant's controller does.
func (s *stage) inEveryNamespace(do func(ctx context.Context, namespace string) error) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = await.Until(ctx, s.client, s.client.CoreV1().Namespaces(), await.Which{Labels: cluster.RunLabel},
			func(event watch.EventType, namespace *corev1.Namespace) (bool, error) {
				if event == watch.Added {
					_ = do(ctx, namespace.Name) // it may be gone already
				}
				return false, nil
			})
	}()
	s.afterwards(func(context.Context) error {
		cancel()
		<-done
		return nil
	})
}

// ourPods is true of a Pod in a namespace of rollcall.
var ourPods = &admissionv1.MatchResources{
	NamespaceSelector: &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{
		{Key: cluster.RunLabel, Operator: metav1.LabelSelectorOpExists},
	}},
	ResourceRules: []admissionv1.NamedRuleWithOperations{{RuleWithOperations: admissionv1.RuleWithOperations{
		Operations: []admissionv1.OperationType{admissionv1.Create},
		Rule:       admissionv1.Rule{APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{"pods"}},
	}}},
}

var policyMeta = metav1.ObjectMeta{Name: "rollcall-mishap"}

// obeyed is how long an API server may take to obey a new policy: it tells nobody.
const obeyed = 5 * time.Second

// refusePods lets a policy deny what it does not know.
func (s *stage) refusePods() {
	s.Helper()
	client := s.client.AdmissionregistrationV1()
	s.afterwards(func(ctx context.Context) error {
		_ = client.ValidatingAdmissionPolicyBindings().Delete(ctx, policyMeta.Name, metav1.DeleteOptions{})
		return client.ValidatingAdmissionPolicies().Delete(ctx, policyMeta.Name, metav1.DeleteOptions{})
	})
	_, err := client.ValidatingAdmissionPolicies().Create(s.Context(), &admissionv1.ValidatingAdmissionPolicy{
		ObjectMeta: policyMeta,
		Spec: admissionv1.ValidatingAdmissionPolicySpec{
			MatchConstraints: ourPods,
			Validations:      []admissionv1.Validation{{Expression: "false", Message: "no Pods from strangers"}},
		},
	}, metav1.CreateOptions{})
	s.must(err)
	_, err = client.ValidatingAdmissionPolicyBindings().Create(s.Context(), &admissionv1.ValidatingAdmissionPolicyBinding{
		ObjectMeta: policyMeta,
		Spec: admissionv1.ValidatingAdmissionPolicyBindingSpec{
			PolicyName: policyMeta.Name, ValidationActions: []admissionv1.ValidationAction{admissionv1.Deny},
		},
	}, metav1.CreateOptions{})
	s.must(err)
	time.Sleep(obeyed)
}

// changePods lets a policy change every Pod of rollcall. Such policies are served
// as v1 since Kubernetes 1.36.
func (s *stage) changePods(patch string) {
	s.Helper()
	client := s.client.AdmissionregistrationV1()
	s.afterwards(func(ctx context.Context) error {
		_ = client.MutatingAdmissionPolicyBindings().Delete(ctx, policyMeta.Name, metav1.DeleteOptions{})
		return client.MutatingAdmissionPolicies().Delete(ctx, policyMeta.Name, metav1.DeleteOptions{})
	})
	fail := admissionv1.Fail
	_, err := client.MutatingAdmissionPolicies().Create(s.Context(), &admissionv1.MutatingAdmissionPolicy{
		ObjectMeta: policyMeta,
		Spec: admissionv1.MutatingAdmissionPolicySpec{
			MatchConstraints:   ourPods,
			FailurePolicy:      &fail,
			ReinvocationPolicy: admissionv1.NeverReinvocationPolicy,
			Mutations: []admissionv1.Mutation{{
				PatchType: admissionv1.PatchTypeJSONPatch, JSONPatch: &admissionv1.JSONPatch{Expression: patch},
			}},
		},
	}, metav1.CreateOptions{})
	s.must(err)
	_, err = client.MutatingAdmissionPolicyBindings().Create(s.Context(), &admissionv1.MutatingAdmissionPolicyBinding{
		ObjectMeta: policyMeta,
		Spec:       admissionv1.MutatingAdmissionPolicyBindingSpec{PolicyName: policyMeta.Name},
	}, metav1.CreateOptions{})
	s.must(err)
	time.Sleep(obeyed)
}
