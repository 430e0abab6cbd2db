package job

import (
	"cmp"
	"context"
	"errors"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/watch"

	"rollcall.dev/rollcall/fixtures/manifests"
	"rollcall.dev/rollcall/framework/await"
	"rollcall.dev/rollcall/framework/cluster"
	"rollcall.dev/rollcall/framework/exit"
	"rollcall.dev/rollcall/framework/limit"
)

// awaitStart waits until the Job's Pod runs. What can only fail, fails at once:
// an image that is not there, a Pod that admission refuses.
func (j *job) awaitStart(ctx context.Context) (*corev1.Pod, error) {
	ctx, cancel := context.WithTimeout(ctx, limit.PodReady.For)
	defer cancel()
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	go j.watchRefusals(ctx, fail)

	var (
		running *corev1.Pod
		last    string
	)
	err := await.Until(ctx, j.client, j.client.CoreV1().Pods(j.Namespace), ofJob(),
		func(_ watch.EventType, pod *corev1.Pod) (bool, error) {
			started, why := cluster.Start(pod)
			if why.Fatal {
				return false, exit.Environmentf("node %s cannot run the image %s: %s", pod.Spec.NodeName, j.Image, why.Reason)
			}
			running, last = pod, why.Reason
			return started || ended(pod), nil
		})
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, exit.Environmentf("the Job's Pod did not start within %s: %s", limit.PodReady.For, cmp.Or(last, "there is none"))
	}
	return running, err
}

// watchRefusals calls fail with the reason when the Job controller cannot create
// the Pod. That shows only in an Event.
func (j *job) watchRefusals(ctx context.Context, fail context.CancelCauseFunc) {
	which := await.Which{Fields: "reason=FailedCreate,involvedObject.kind=Job,involvedObject.name=" + manifests.Name}
	err := await.Until(ctx, j.client, j.client.CoreV1().Events(j.Namespace), which,
		func(_ watch.EventType, event *corev1.Event) (bool, error) {
			if string(event.InvolvedObject.UID) != j.uid {
				return false, nil
			}
			return false, exit.Environmentf("the cluster refuses the Job's Pod: %s", event.Message)
		})
	// Without the right to watch Events the limit of the wait has to do.
	var refusal *exit.EnvironmentError
	if errors.As(err, &refusal) {
		fail(refusal)
	}
}

func ofJob() await.Which {
	return await.Which{Labels: batchv1.JobNameLabel + "=" + manifests.Name}
}

func ended(pod *corev1.Pod) bool {
	return pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
}
