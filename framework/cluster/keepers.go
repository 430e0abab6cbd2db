package cluster

import (
	"context"

	rbacv1 "k8s.io/api/rbac/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func bindings(l *rbacv1.ClusterRoleBindingList) []rbacv1.ClusterRoleBinding  { return l.Items }
func roles(l *rbacv1.ClusterRoleList) []rbacv1.ClusterRole                   { return l.Items }
func localBindings(l *rbacv1.RoleBindingList) []rbacv1.RoleBinding           { return l.Items }
func localRoles(l *rbacv1.RoleList) []rbacv1.Role                            { return l.Items }
func classes(l *schedulingv1.PriorityClassList) []schedulingv1.PriorityClass { return l.Items }

// store is what a typed client offers to a keeper.
type store[List any] interface {
	List(context.Context, metav1.ListOptions) (List, error)
	Delete(context.Context, string, metav1.DeleteOptions) error
}

// keeperOf makes a keeper of a typed client; items takes its list apart.
func keeperOf[T any, P interface {
	*T
	metav1.Object
}, List any](kind string, client store[List], items func(List) []T) keeper {
	return keeper{
		kind: kind,
		list: func(ctx context.Context, options metav1.ListOptions) ([]metav1.Object, error) {
			list, err := client.List(ctx, options)
			if err != nil {
				return nil, err
			}
			var objects []metav1.Object
			for _, item := range items(list) {
				objects = append(objects, P(&item))
			}
			return objects, nil
		},
		remove: client.Delete,
	}
}
