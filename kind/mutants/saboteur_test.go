package mutants

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
)

func TestProbeIsOneThatItsSaboteurChanges(t *testing.T) {
	for _, mutant := range table {
		if mutant.Saboteur != nil && mutant.Saboteur.Shows(mutant.Saboteur.Probe()) {
			t.Errorf("%s: the probe shows the change before it was made", mutant.Name)
		}
	}
}

func TestToleratesForSeconds(t *testing.T) {
	pod, seconds := daemonSetPod(), int64(300)
	pod.Spec.Tolerations[1].TolerationSeconds = &seconds
	if !toleratesForSeconds(pod) || toleratesForSeconds(&corev1.Pod{}) {
		t.Error("a limit in time is not seen, or seen where there is none")
	}
}

// A policy acts only where it is bound, and is found by its label to be healed.
func TestPolicyIsBoundAndLabelled(t *testing.T) {
	for _, mutant := range table {
		if mutant.Saboteur == nil {
			continue
		}
		policy, binding := policyOf(mutant), bindingOf(mutant)
		if binding.Spec.PolicyName != policy.Name {
			t.Errorf("%s: the binding is for %s", mutant.Name, binding.Spec.PolicyName)
		}
		want := map[string]string{saboteurLabel: mutant.Name}
		if diff := cmp.Diff([]map[string]string{want, want}, []map[string]string{policy.Labels, binding.Labels}); diff != "" {
			t.Error(diff)
		}
	}
}
