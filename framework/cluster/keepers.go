package cluster

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
)

// keeper finds what runs have left of one kind.
type keeper struct {
	kind string
	left func(context.Context) ([]Leftover, error)
}

// store is what a typed client offers to a keeper.
type store[List any] interface {
	List(context.Context, metav1.ListOptions) (List, error)
	Delete(context.Context, string, metav1.DeleteOptions) error
}

// object is a pointer to an API type.
type object[T any] interface {
	*T
	metav1.Object
}

// keeperOf makes a keeper of a typed client; items takes its list apart.
func keeperOf[T any, P object[T], List any](kind string, client store[List], items func(List) []T) keeper {
	return keeper{kind: kind, left: func(ctx context.Context) ([]Leftover, error) {
		list, err := client.List(ctx, metav1.ListOptions{LabelSelector: RunLabel})
		if err != nil {
			return nil, err
		}
		var found []Leftover
		for _, item := range items(list) {
			found = append(found, leftover(kind, P(&item), client.Delete))
		}
		return found, nil
	}}
}

func leftover(kind string, object metav1.Object, remove func(context.Context, string, metav1.DeleteOptions) error) Leftover {
	name := object.GetName()
	left := Leftover{Kind: kind, Name: name, Run: object.GetLabels()[RunLabel], made: object.GetCreationTimestamp().Time}
	if namespace := object.GetNamespace(); namespace != "" {
		left.Name = namespace + "/" + name
	}
	left.remove = func(ctx context.Context) error {
		err := remove(ctx, name, metav1.DeleteOptions{
			// A Job's own default would leave its Pods behind.
			PropagationPolicy: ptr.To(metav1.DeletePropagationBackground),
		})
		if apierrors.IsNotFound(err) {
			return nil
		}
		return err
	}
	return left
}
