package mutants

import (
	"context"
	"fmt"
	"time"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/kubernetes"
)

// admission is the actor of the saboteurs. Their policies are served as v1 since
// Kubernetes 1.36.
type admission struct{ client kubernetes.Interface }

// saboteurLabel is on every policy, and its value is the mutant's name.
const saboteurLabel = "rollcall.dev/mutant"

var saboteurs = metav1.ListOptions{LabelSelector: saboteurLabel}

func (a *admission) become(ctx context.Context, mutant Mutant) error {
	if err := a.heal(ctx); err != nil {
		return err
	}
	client := a.client.AdmissionregistrationV1()
	if _, err := client.MutatingAdmissionPolicies().Create(ctx, policyOf(mutant), metav1.CreateOptions{}); err != nil {
		return fmt.Errorf("cannot create the policy of %s: %w", mutant.Name, err)
	}
	if _, err := client.MutatingAdmissionPolicyBindings().Create(ctx, bindingOf(mutant), metav1.CreateOptions{}); err != nil {
		return fmt.Errorf("cannot bind the policy of %s: %w", mutant.Name, err)
	}
	return a.awaitForce(ctx, mutant, true)
}

func (a *admission) broken(ctx context.Context) (bool, error) {
	names, err := a.present(ctx)
	return len(names) > 0, err
}

// present names the saboteurs of which a policy or a binding is there.
func (a *admission) present(ctx context.Context) ([]string, error) {
	client := a.client.AdmissionregistrationV1()
	policies, err := client.MutatingAdmissionPolicies().List(ctx, saboteurs)
	if apierrors.IsNotFound(err) { // a release that does not serve them has none
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	bindings, err := client.MutatingAdmissionPolicyBindings().List(ctx, saboteurs)
	if err != nil {
		return nil, err
	}
	names := sets.New[string]()
	for _, policy := range policies.Items {
		names.Insert(policy.Labels[saboteurLabel])
	}
	for _, binding := range bindings.Items {
		names.Insert(binding.Labels[saboteurLabel])
	}
	return sets.List(names), nil
}

// heal takes every saboteur away and waits until none is obeyed any more.
func (a *admission) heal(ctx context.Context) error {
	names, err := a.present(ctx)
	if err != nil || len(names) == 0 {
		return err
	}
	client := a.client.AdmissionregistrationV1()
	if err := client.MutatingAdmissionPolicyBindings().DeleteCollection(ctx, metav1.DeleteOptions{}, saboteurs); err != nil {
		return err
	}
	if err := client.MutatingAdmissionPolicies().DeleteCollection(ctx, metav1.DeleteOptions{}, saboteurs); err != nil {
		return err
	}
	for _, name := range names {
		if mutant, ok := saboteurCalled(name); ok {
			if err := a.awaitForce(ctx, mutant, false); err != nil {
				return err
			}
		}
	}
	return nil
}

func saboteurCalled(name string) (Mutant, bool) {
	for _, mutant := range table {
		if mutant.Name == name && mutant.Saboteur != nil {
			return mutant, true
		}
	}
	return Mutant{}, false
}

// awaitForce asks with dry runs until a saboteur is obeyed, or no longer. The
// API server tells nobody when it has taken a policy up, so there is nothing to
// watch.
func (a *admission) awaitForce(ctx context.Context, mutant Mutant, wanted bool) error {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		pod, err := a.client.CoreV1().Pods(metav1.NamespaceDefault).Create(ctx, mutant.Saboteur.Probe(),
			metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		if err == nil && mutant.Saboteur.Shows(pod) == wanted {
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("%w: the API server should obey %s: %t, and does not; its last error: %v", context.Cause(ctx), mutant.Name, wanted, err)
		}
	}
}

func policyOf(mutant Mutant) *admissionv1.MutatingAdmissionPolicy {
	fail := admissionv1.Fail // a saboteur that cannot act is noticed
	return &admissionv1.MutatingAdmissionPolicy{
		ObjectMeta: saboteurMeta(mutant),
		Spec: admissionv1.MutatingAdmissionPolicySpec{
			MatchConstraints: &admissionv1.MatchResources{
				ResourceRules: []admissionv1.NamedRuleWithOperations{{
					RuleWithOperations: admissionv1.RuleWithOperations{
						Operations: []admissionv1.OperationType{admissionv1.Create},
						Rule:       admissionv1.Rule{APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{mutant.Saboteur.Resource}},
					},
				}},
			},
			MatchConditions: []admissionv1.MatchCondition{{Name: "chosen", Expression: mutant.Saboteur.Condition}},
			Mutations: []admissionv1.Mutation{{
				PatchType: admissionv1.PatchTypeJSONPatch,
				JSONPatch: &admissionv1.JSONPatch{Expression: mutant.Saboteur.Patch},
			}},
			FailurePolicy:      &fail,
			ReinvocationPolicy: admissionv1.NeverReinvocationPolicy,
		},
	}
}

func bindingOf(mutant Mutant) *admissionv1.MutatingAdmissionPolicyBinding {
	return &admissionv1.MutatingAdmissionPolicyBinding{
		ObjectMeta: saboteurMeta(mutant),
		Spec:       admissionv1.MutatingAdmissionPolicyBindingSpec{PolicyName: saboteurMeta(mutant).Name},
	}
}

func saboteurMeta(mutant Mutant) metav1.ObjectMeta {
	return metav1.ObjectMeta{Name: "rollcall-mutant-" + mutant.Name, Labels: map[string]string{saboteurLabel: mutant.Name}}
}
