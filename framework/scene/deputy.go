package scene

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/onsi/ginkgo/v2"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"rollcall.dev/rollcall/framework/cluster"
	"rollcall.dev/rollcall/framework/limit"
)

// A deputy is a ServiceAccount of the spec's namespace that acts with other
// rights than the run's own. rollcall's own role lets it appoint nobody; an
// administrator may.

// CannotAppoint returns why the caller may not give rights to a deputy and act
// in its name, and nothing if it may.
func (s *Scene) CannotAppoint(ctx context.Context) string {
	ginkgo.GinkgoHelper()
	denied, err := (&cluster.Connection{Client: s.Client}).Refused(ctx, []cluster.Denied{
		{Verb: "create", Resource: "serviceaccounts", Namespace: s.Namespace},
		{Verb: "create", Group: rbacv1.GroupName, Resource: "clusterroles"},
		{Verb: "delete", Group: rbacv1.GroupName, Resource: "clusterroles"},
		{Verb: "create", Group: rbacv1.GroupName, Resource: "clusterrolebindings"},
		{Verb: "delete", Group: rbacv1.GroupName, Resource: "clusterrolebindings"},
		{Verb: "impersonate", Resource: "serviceaccounts", Namespace: s.Namespace},
	})
	Must(err)
	if len(denied) == 0 {
		return ""
	}
	return cluster.Summary(denied)
}

// Appoint makes a deputy with just these rights in the cluster, until the spec
// ends, and returns the scene as the deputy's kubectl acts on it.
func (s *Scene) Appoint(ctx context.Context, name string, rules ...rbacv1.PolicyRule) *Scene {
	ginkgo.GinkgoHelper()
	s.History.Mark("appoint the deputy " + name)
	_, err := s.Client.CoreV1().ServiceAccounts(s.Namespace).Create(ctx, &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
	Must(err)
	s.grant(ctx, name, rules)
	config := rest.CopyConfig(s.Config)
	// The API server adds the groups of a ServiceAccount itself.
	config.Impersonate = rest.ImpersonationConfig{UserName: fmt.Sprintf("system:serviceaccount:%s:%s", s.Namespace, name)}
	Must(s.awaitRights(ctx, config, rules))
	return s.As(config)
}

// As returns the scene as the kubectl of another identity acts on it. Everything
// else goes on as before.
func (s *Scene) As(config *rest.Config) *Scene {
	shared, as := *s.Cluster, *s
	shared.Config = config
	as.Cluster = &shared
	return &as
}

// grant gives rights to a ServiceAccount. Should this process be killed, they go
// with the namespace, which owns them.
func (s *Scene) grant(ctx context.Context, account string, rules []rbacv1.PolicyRule) {
	ginkgo.GinkgoHelper()
	namespace, err := s.Client.CoreV1().Namespaces().Get(ctx, s.Namespace, metav1.GetOptions{})
	Must(err)
	about := metav1.ObjectMeta{
		Name: s.Namespace + "-" + account, Labels: cluster.Labels(s.RunID),
		OwnerReferences: []metav1.OwnerReference{{APIVersion: "v1", Kind: "Namespace", Name: namespace.Name, UID: namespace.UID}},
	}
	ginkgo.DeferCleanup(func(ctx context.Context) { Must(s.withdraw(ctx, about.Name)) })
	_, err = s.Client.RbacV1().ClusterRoles().Create(ctx, &rbacv1.ClusterRole{ObjectMeta: about, Rules: rules}, metav1.CreateOptions{})
	Must(err)
	_, err = s.Client.RbacV1().ClusterRoleBindings().Create(ctx, &rbacv1.ClusterRoleBinding{
		ObjectMeta: about,
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: about.Name},
		Subjects:   []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Namespace: s.Namespace, Name: account}},
	}, metav1.CreateOptions{})
	Must(err)
}

func (s *Scene) withdraw(ctx context.Context, name string) error {
	var faults []error
	for _, remove := range []func(context.Context, string, metav1.DeleteOptions) error{
		s.Client.RbacV1().ClusterRoleBindings().Delete, s.Client.RbacV1().ClusterRoles().Delete,
	} {
		if err := remove(ctx, name, metav1.DeleteOptions{}); !apierrors.IsNotFound(err) {
			faults = append(faults, err)
		}
	}
	return errors.Join(faults...)
}

// awaitRights waits until the API server knows of new rights. What an authorizer
// knows cannot be watched.
func (s *Scene) awaitRights(ctx context.Context, config *rest.Config, rules []rbacv1.PolicyRule) error {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	asked := cluster.Questions([]cluster.Grant{{Rules: rules}})
	var denied []cluster.Denied
	err = wait.PollUntilContextTimeout(ctx, 200*time.Millisecond, s.Longest(limit.Status), true, func(ctx context.Context) (bool, error) {
		denied, err = (&cluster.Connection{Client: client}).Refused(ctx, asked)
		return len(denied) == 0, err
	})
	if err != nil {
		return fmt.Errorf("the deputy's rights do not come into effect (%s): %w", cluster.Summary(denied), err)
	}
	return nil
}
