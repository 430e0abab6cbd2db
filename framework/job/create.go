package job

import (
	"context"
	"fmt"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/e2e-framework/klient/k8s"

	"rollcall.dev/rollcall/fixtures/manifests"
	"rollcall.dev/rollcall/framework/await"
	"rollcall.dev/rollcall/framework/exit"
	"rollcall.dev/rollcall/framework/limit"
)

// create makes the objects, remembering each for the clean-up. A namespace that
// is there is used and stays; anything else that is there belongs to another
// Job, and then nothing is created.
func (j *job) create(ctx context.Context) error {
	wanted, err := manifests.Objects(ctx, j.Options.Options)
	if err != nil {
		return err
	}
	if err := j.awaitNoNamespace(ctx); err != nil {
		return err
	}
	for _, object := range wanted {
		if err := j.refuseExisting(ctx, object); err != nil {
			return err
		}
	}
	for _, object := range wanted {
		if err := j.createOne(ctx, object); err != nil {
			return err
		}
	}
	return nil
}

// awaitNoNamespace waits for a namespace of ours that is on its way out.
func (j *job) awaitNoNamespace(ctx context.Context) error {
	namespaces := j.client.CoreV1().Namespaces()
	found, err := namespaces.Get(ctx, j.Namespace, metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
		return nil
	case err != nil:
		return exit.Environmentf("looking for the namespace %s: %w", j.Namespace, err)
	case found.DeletionTimestamp == nil:
		return nil
	}
	j.Progress("waiting for the namespace " + j.Namespace + " of an earlier Job to be gone")
	ctx, cancel := context.WithTimeout(ctx, limit.Namespace.For)
	defer cancel()
	err = await.Gone[corev1.Namespace](ctx, j.client, namespaces, await.Named(j.Namespace))
	if err != nil {
		return exit.Environmentf("the namespace %s is being deleted and stays: %w", j.Namespace, err)
	}
	return nil
}

func (j *job) refuseExisting(ctx context.Context, object k8s.Object) error {
	if _, ok := object.(*corev1.Namespace); ok {
		return nil
	}
	found := object.DeepCopyObject().(k8s.Object)
	err := j.objects.Get(ctx, object.GetName(), object.GetNamespace(), found)
	switch {
	case apierrors.IsNotFound(err):
		return nil
	case err != nil:
		return exit.Environmentf("looking for %s: %w", describe(object), err)
	}
	return exit.Environmentf("%s is in the way, from %s: is that Job still running? 'rollcall cleanup -n %s' removes what is left of one",
		describe(object), found.GetCreationTimestamp().UTC().Format("2006-01-02 15:04:05 UTC"), j.Namespace)
}

func (j *job) createOne(ctx context.Context, object k8s.Object) error {
	err := j.objects.Create(ctx, object)
	if _, ok := object.(*corev1.Namespace); ok && apierrors.IsAlreadyExists(err) {
		return nil
	}
	if err != nil {
		return exit.Environmentf("creating %s: %w", describe(object), err)
	}
	j.created = append(j.created, object)
	if _, ok := object.(*batchv1.Job); ok {
		j.uid = string(object.GetUID())
	}
	return nil
}

// describe names an object as kubectl does.
func describe(object k8s.Object) string {
	kind := object.GetObjectKind().GroupVersionKind().Kind
	if kind == "" {
		kind = fmt.Sprintf("%T", object)
	}
	if namespace := object.GetNamespace(); namespace != "" {
		return fmt.Sprintf("the %s %s/%s", kind, namespace, object.GetName())
	}
	return fmt.Sprintf("the %s %s", kind, object.GetName())
}
