package scene

import (
	"context"
	"fmt"

	"github.com/onsi/ginkgo/v2"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/utils/ptr"

	"rollcall.dev/rollcall/framework/await"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
)

// CreateBudget creates a PodDisruptionBudget in the scene's namespace.
func (s *Scene) CreateBudget(ctx context.Context, budget *policyv1.PodDisruptionBudget) *policyv1.PodDisruptionBudget {
	ginkgo.GinkgoHelper()
	s.History.Mark("create PodDisruptionBudget " + budget.Name)
	created, err := s.Client.PolicyV1().PodDisruptionBudgets(s.Namespace).Create(ctx, budget, metav1.CreateOptions{})
	Must(err)
	return created
}

// RelaxBudget lets a PodDisruptionBudget give up all of its Pods.
func (s *Scene) RelaxBudget(ctx context.Context, budget *policyv1.PodDisruptionBudget) *policyv1.PodDisruptionBudget {
	ginkgo.GinkgoHelper()
	s.History.Mark("relax PodDisruptionBudget " + budget.Name)
	relaxed, err := s.Client.PolicyV1().PodDisruptionBudgets(s.Namespace).Patch(ctx, budget.Name, types.MergePatchType,
		[]byte(`{"spec":{"minAvailable":0,"maxUnavailable":null}}`), metav1.PatchOptions{})
	Must(err)
	return relaxed
}

// AwaitBudget waits until a PodDisruptionBudget satisfies holds, and fails the
// spec if it does not within the limit. The claim says what is waited for.
func (s *Scene) AwaitBudget(ctx context.Context, budget *policyv1.PodDisruptionBudget, claim string, holds func(*policyv1.PodDisruptionBudget) bool) *policyv1.PodDisruptionBudget {
	ginkgo.GinkgoHelper()
	s.announce(fmt.Sprintf("waiting for PodDisruptionBudget %s: %s", budget.Name, claim))
	limited, cancel := context.WithTimeout(ctx, s.Longest(limit.Status))
	defer cancel()
	last := budget
	err := await.Until(limited, s.Client, s.Client.PolicyV1().PodDisruptionBudgets(s.Namespace), await.Named(budget.Name),
		func(_ watch.EventType, now *policyv1.PodDisruptionBudget) (bool, error) {
			last = now
			return now.UID == budget.UID && now.Generation >= budget.Generation && holds(now), nil
		})
	s.mustHaveCome(err, limit.Status, fmt.Sprintf("PodDisruptionBudget %s %s", budget.Name, claim), judge.DescribeBudget(last))
	return last
}

// TryEvict asks for the eviction of a Pod, as a drain does, and returns the API
// server's refusal. It asks once: a refusal may say when to ask again, and a
// client would heed that.
func (s *Scene) TryEvict(ctx context.Context, pod *corev1.Pod) error {
	s.History.Mark("evict Pod " + pod.Name)
	return s.Client.CoreV1().RESTClient().Post().MaxRetries(0).
		Namespace(s.Namespace).Resource("pods").Name(pod.Name).SubResource("eviction").
		Body(&policyv1.Eviction{
			ObjectMeta:    metav1.ObjectMeta{Name: pod.Name, Namespace: s.Namespace},
			DeleteOptions: &metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: ptr.To(pod.UID)}},
		}).Do(ctx).Error()
}
