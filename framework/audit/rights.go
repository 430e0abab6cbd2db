package audit

import (
	rbacv1 "k8s.io/api/rbac/v1"

	"rollcall.dev/rollcall/framework/cluster"
)

// Grants returns the rights that an audit of a cluster needs: to get and list,
// and for one DaemonSet in its own namespace only, but for the nodes.
func (r Request) Grants() []cluster.Grant {
	nodes := read("", "nodes")
	if r.All {
		return []cluster.Grant{{Rules: []rbacv1.PolicyRule{
			nodes, read("", "pods"), read("", "events"), read("apps", "daemonsets"), read("apps", "controllerrevisions"),
		}}}
	}
	one := rbacv1.PolicyRule{APIGroups: []string{"apps"}, Resources: []string{"daemonsets"}, ResourceNames: []string{r.Name}, Verbs: []string{"get"}}
	return []cluster.Grant{
		{Rules: []rbacv1.PolicyRule{nodes}},
		{Namespace: r.Namespace, Rules: []rbacv1.PolicyRule{
			one, read("", "pods"), read("", "events"), read("apps", "controllerrevisions"),
		}},
	}
}

func read(group, resource string) rbacv1.PolicyRule {
	return rbacv1.PolicyRule{APIGroups: []string{group}, Resources: []string{resource}, Verbs: []string{"list"}}
}
