package resources

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

func TestChargeComparesQuantities(t *testing.T) {
	used := corev1.ResourceList{
		corev1.ResourceRequestsCPU:    resource.MustParse("0.3"),
		corev1.ResourceRequestsMemory: resource.MustParse("1Gi"),
	}
	for _, want := range []amounts{{}, {requestsCPU: "300m"}, {requestsCPU: "300m", requestsMemory: "1024Mi"}} {
		if ok, err := charge(want).Match(used); err != nil || !ok {
			t.Errorf("%v is %v: %v", used, want, err)
		}
	}
	wrong := charge(amounts{requestsCPU: "200m"})
	if ok, _ := wrong.Match(used); ok {
		t.Error("200m is not 300m")
	}
	if message := wrong.FailureMessage(used); !strings.Contains(message, "requests.cpu is 300m, not 200m") {
		t.Error(message)
	}
	if ok, _ := charge(amounts{limitsCPU: "1"}).Match(used); ok {
		t.Error("what is not counted is not charged")
	}
}

func TestAQuotaCountsOnceItsStatusAnswersItsSpec(t *testing.T) {
	q := generous(quotaName)
	if counts(q, 0) {
		t.Error("a quota without a status counts nothing yet")
	}
	q.Status.Used = corev1.ResourceList{corev1.ResourcePods: resource.MustParse("1")}
	if counts(q, 1) {
		t.Error("the limits in its status are not those of its spec")
	}
	q.Status.Hard = q.Spec.Hard
	if counts(q, 0) || !counts(q, 1) {
		t.Error("it counts one Pod")
	}
}
