package await

import (
	"context"
	"errors"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/fake"
)

func pod(name string) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name}}
}

func TestUntilSeesWhatIsThereAndWhatComes(t *testing.T) {
	client := fake.NewClientset(pod("first"))
	pods := client.CoreV1().Pods("ns")
	var seen []string
	err := Until(t.Context(), client, pods, Which{}, func(event watch.EventType, pod *corev1.Pod) (bool, error) {
		seen = append(seen, string(event)+" "+pod.Name)
		if pod.Name == "first" {
			second := pod.DeepCopy()
			second.Name, second.ResourceVersion = "second", ""
			_, err := pods.Create(t.Context(), second, metav1.CreateOptions{})
			return false, err
		}
		return true, nil
	})
	if err != nil || len(seen) != 2 || seen[1] != "ADDED second" {
		t.Errorf("saw %v, error %v", seen, err)
	}
}

func TestUntilReturnsTheErrorOfDone(t *testing.T) {
	client := fake.NewClientset(pod("first"))
	fault := errors.New("fault")
	err := Until(t.Context(), client, client.CoreV1().Pods("ns"), Which{},
		func(watch.EventType, *corev1.Pod) (bool, error) { return false, fault })
	if !errors.Is(err, fault) {
		t.Errorf("got %v", err)
	}
}

func TestUntilEndsWithTheCauseOfItsContext(t *testing.T) {
	client := fake.NewClientset(pod("first"))
	fault := errors.New("told to stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	err := Until(ctx, client, client.CoreV1().Pods("ns"), Which{},
		func(watch.EventType, *corev1.Pod) (bool, error) { cancel(fault); return false, nil })
	if !errors.Is(err, fault) {
		t.Errorf("got %v", err)
	}
}

func TestNamedLeavesTheOthersOut(t *testing.T) {
	client := fake.NewClientset(pod("first"), pod("second"))
	pods := client.CoreV1().Pods("ns")
	err := Until(t.Context(), client, pods, Named("second"), func(_ watch.EventType, pod *corev1.Pod) (bool, error) {
		if pod.Name != "second" {
			t.Errorf("it shows %s", pod.Name)
		}
		return true, nil
	})
	if err != nil {
		t.Error(err)
	}
	if err := Gone[corev1.Pod](t.Context(), client, pods, Named("third")); err != nil {
		t.Error(err)
	}
}

func TestEnded(t *testing.T) {
	client := fake.NewClientset(pod("first"), pod("second"))
	pods := client.CoreV1().Pods("ns")
	never := func(*corev1.Pod) bool { return false }
	if err := Ended(t.Context(), client, pods, "third", never); err != nil {
		t.Errorf("of what is not there: %v", err)
	}
	err := Ended(t.Context(), client, pods, "first", func(p *corev1.Pod) bool { return p.Name == "first" })
	if err != nil {
		t.Errorf("of what has ended: %v", err)
	}
	err = Ended(t.Context(), client, pods, "second", func(p *corev1.Pod) bool {
		_ = pods.Delete(t.Context(), p.Name, metav1.DeleteOptions{})
		return false
	})
	if err != nil {
		t.Errorf("of what goes: %v", err)
	}
}

func TestGone(t *testing.T) {
	client := fake.NewClientset(pod("first"), pod("second"))
	pods := client.CoreV1().Pods("ns")
	ended := make(chan error, 1)
	go func() { ended <- Gone[corev1.Pod](t.Context(), client, pods, Which{}) }()
	for _, name := range []string{"first", "second"} {
		if err := pods.Delete(t.Context(), name, metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if err := Gone[corev1.Pod](t.Context(), client, pods, Which{}); err != nil {
		t.Errorf("of nothing: %v", err)
	}
}
