package job

import (
	"context"
	"slices"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/e2e-framework/klient/k8s/resources"

	"rollcall.dev/rollcall/framework/await"
	"rollcall.dev/rollcall/framework/exit"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/report"
)

// remove deletes what was created, the last first, and waits until it is gone.
// It does so even when ctx has ended. The Job goes before its rights do: its Pod
// needs them to clean up.
func (j *job) remove(ctx context.Context) error {
	if len(j.created) == 0 {
		return nil
	}
	j.Progress("removing the Job and its rights")
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit.Teardown.For)
	defer cancel()
	for _, object := range slices.Backward(j.created) {
		err := j.objects.Delete(ctx, object, resources.WithDeletePropagation(string(metav1.DeletePropagationBackground)))
		if err != nil && !apierrors.IsNotFound(err) {
			return exit.Environmentf("removing %s: %w; 'rollcall cleanup -n %s' tries again", describe(object), err, j.Namespace)
		}
		if _, ok := object.(*batchv1.Job); ok {
			if err := j.awaitNoPod(ctx); err != nil {
				return err
			}
		}
	}
	return j.awaitGone(ctx)
}

func (j *job) awaitNoPod(ctx context.Context) error {
	if err := await.Gone[corev1.Pod](ctx, j.client, j.client.CoreV1().Pods(j.Namespace), ofJob()); err != nil {
		return exit.Environmentf("the Job's Pod is still there: %w", err)
	}
	return nil
}

// awaitGone waits for the namespace if it was ours; in a namespace that stays,
// the report is what is left to remove.
func (j *job) awaitGone(ctx context.Context) error {
	if _, ours := j.created[0].(*corev1.Namespace); !ours {
		err := j.client.CoreV1().ConfigMaps(j.Namespace).Delete(ctx, report.ConfigMapName, metav1.DeleteOptions{})
		if err != nil && !apierrors.IsNotFound(err) {
			return exit.Environmentf("removing the report from the namespace %s: %w", j.Namespace, err)
		}
		return nil
	}
	err := await.Gone[corev1.Namespace](ctx, j.client, j.client.CoreV1().Namespaces(), await.Named(j.Namespace))
	if err != nil {
		return exit.Environmentf("the namespace %s is still there: %w", j.Namespace, err)
	}
	return nil
}
