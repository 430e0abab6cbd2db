package scene

import (
	"context"

	"github.com/onsi/ginkgo/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"rollcall.dev/rollcall/framework/history"
)

// CreateService makes a Service without an address of its own for the Pods with
// these labels, and records its endpoints from now on.
func (s *Scene) CreateService(ctx context.Context, name string, selector map[string]string) {
	ginkgo.GinkgoHelper()
	Must(s.History.Follow(history.EndpointSlice, history.EndpointSlicesIn(s.Client, s.Namespace)))
	s.History.Mark("create Service " + name)
	_, err := s.Client.CoreV1().Services(s.Namespace).Create(ctx, &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: corev1.ServiceSpec{
			ClusterIP: corev1.ClusterIPNone, Selector: selector,
			Ports: []corev1.ServicePort{{Name: "any", Port: 80}},
		},
	}, metav1.CreateOptions{})
	Must(err)
}
