package resources

import (
	"context"
	"fmt"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/await"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/scene"
)

// quota is a ResourceQuota that refuses nothing and counts everything.
type quota struct{ *scene.Scene }

const quotaName = "count"

// openQuota makes the quota of a scene, and returns once it counts and admission
// goes by it: Pods that come before are charged late.
func openQuota(ctx context.Context, s *scene.Scene) quota {
	GinkgoHelper()
	mustLeaveAlone(ctx, s)
	q := quota{s}
	q.create(ctx, quotaName)
	q.afterPods(ctx, 0)
	s.AwaitQuota(ctx, fixtures.Pod("beyond", apps(fixtures.Resources("2000", "8Mi", "2000", "8Mi")), fixtures.Unscheduled))
	return q
}

// mustLeaveAlone ends the spec where admission changes what Pods ask for, as a
// webhook does that adds a container: a quota would refuse or count another Pod.
func mustLeaveAlone(ctx context.Context, s *scene.Scene) {
	GinkgoHelper()
	asked := fixtures.Pod("asked", fixtures.Unscheduled)
	desk := s.Desk()
	stored, err := desk.Pod(ctx, asked.DeepCopy())
	scene.Must(err)
	if scene.DoubtIfChanged(asked, stored) {
		Fail("the Pods are not those that were asked for")
	}
}

// generous is a quota that no Pod of a spec reaches.
func generous(name string) *corev1.ResourceQuota {
	return &corev1.ResourceQuota{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: corev1.ResourceQuotaSpec{Hard: corev1.ResourceList{
			corev1.ResourcePods:           resource.MustParse("100"),
			corev1.ResourceRequestsCPU:    resource.MustParse("1000"),
			corev1.ResourceRequestsMemory: resource.MustParse("1000Gi"),
			corev1.ResourceLimitsCPU:      resource.MustParse("1000"),
			corev1.ResourceLimitsMemory:   resource.MustParse("1000Gi"),
		}},
	}
}

// afterPods returns what the quota is charged with once it counts so many Pods. The
// controller's recount every 5 minutes may go by an older view and undo a charge
// that came with it; a second quota has it count again at once.
func (q quota) afterPods(ctx context.Context, pods int64) corev1.ResourceList {
	GinkgoHelper()
	counted, err := q.await(ctx, quotaName, pods, limit.Status)
	if err != nil && ctx.Err() == nil {
		again := fmt.Sprintf("%s-with-%d-pods", quotaName, pods)
		q.create(ctx, again)
		counted, err = q.await(ctx, again, pods, limit.Recount)
	}
	if err != nil {
		Fail(fmt.Sprintf("expected: a ResourceQuota that counts %d Pods\nlast seen: %s\nwaited: %s (%s): %v",
			pods, describeQuota(counted), q.Longest(limit.Recount), limit.Recount.Source, err))
	}
	return counted.Status.Used
}

func (q quota) create(ctx context.Context, name string) {
	GinkgoHelper()
	q.History.Mark("create ResourceQuota " + name)
	_, err := q.Client.CoreV1().ResourceQuotas(q.Namespace).Create(ctx, generous(name), metav1.CreateOptions{})
	scene.Must(err)
}

// await returns what was last seen of a quota, and an error if that counted
// another number of Pods for too long.
func (q quota) await(ctx context.Context, name string, pods int64, within limit.Limit) (last *corev1.ResourceQuota, err error) {
	limited, cancel := context.WithTimeout(ctx, q.Longest(within))
	defer cancel()
	err = await.Until(limited, q.Client, q.Client.CoreV1().ResourceQuotas(q.Namespace), await.Named(name),
		func(_ watch.EventType, now *corev1.ResourceQuota) (bool, error) {
			last = now
			return counts(now, pods), nil
		})
	return last, err
}

// counts reports whether a quota's status answers its spec and counts so many
// Pods.
func counts(q *corev1.ResourceQuota, pods int64) bool {
	used, counted := q.Status.Used[corev1.ResourcePods]
	return counted && used.Value() == pods && equality.Semantic.DeepEqual(q.Spec.Hard, q.Status.Hard)
}

func describeQuota(q *corev1.ResourceQuota) string {
	if q == nil {
		return "no ResourceQuota"
	}
	return fmt.Sprintf("limits %s, charges %s", describe(q.Status.Hard), describe(q.Status.Used))
}

func describe(list corev1.ResourceList) string {
	var words []string
	for name, quantity := range list {
		words = append(words, fmt.Sprintf("%s %s", name, quantity.String()))
	}
	slices.Sort(words)
	return strings.Join(words, ", ")
}
