package job

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"rollcall.dev/rollcall/framework/cluster"
	"rollcall.dev/rollcall/framework/exit"
)

// demandRights makes sure that the caller may do everything that a Job takes,
// before anything is created. Whether he may also give the Job its rights, the
// API server tells when the roles are created.
func demandRights(ctx context.Context, connection *cluster.Connection, namespace string) error {
	missing, err := connection.Refused(ctx, rights(namespace))
	if err != nil {
		return err
	}
	if len(missing) > 0 {
		return exit.Environmentf("you lack rights to run a Job: %s", cluster.Summary(missing))
	}
	return nil
}

// rights is what a Job takes from its creation to its removal.
func rights(namespace string) []cluster.Denied {
	var list []cluster.Denied
	add := func(group, resource, place string, verbs ...string) {
		for _, verb := range verbs {
			list = append(list, cluster.Denied{Verb: verb, Group: group, Resource: resource, Namespace: place})
		}
	}
	const rbac = "rbac.authorization.k8s.io"
	lifetime := []string{"get", "create", "delete"}
	add("", "namespaces", "", append(lifetime, "list", "watch")...)
	add("", "serviceaccounts", namespace, lifetime...)
	add(rbac, "clusterroles", "", lifetime...)
	add(rbac, "clusterrolebindings", "", lifetime...)
	for _, place := range []string{namespace, corev1.NamespaceNodeLease} {
		add(rbac, "roles", place, lifetime...)
		add(rbac, "rolebindings", place, lifetime...)
	}
	add("batch", "jobs", namespace, lifetime...)
	add("", "pods", namespace, "list", "watch", "delete")
	add("", "pods/log", namespace, "get")
	add("", "configmaps", namespace, "get", "delete")
	return list
}
