package cluster

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"golang.org/x/sync/errgroup"

	"rollcall.dev/rollcall/framework/requirement"
)

// Grant is a set of rules and where they hold.
type Grant struct {
	// Namespace is where the rules hold; empty means the whole cluster.
	Namespace string
	Rules     []rbacv1.PolicyRule
}

// Needs is what decides which rights a run needs.
type Needs struct {
	Level requirement.Level
	// Namespace is rollcall's own.
	Namespace string
	// PullSecret is the name of a secret there that the image is pulled with;
	// empty if it needs none.
	PullSecret string
}

// Grants returns everything that a run needs.
func Grants(needs Needs) []Grant {
	cluster, own := Rules(needs.Level), OwnRules()
	if needs.PullSecret != "" {
		read := rule("", "secrets", "get")
		read.ResourceNames = []string{needs.PullSecret}
		own = append(own, read)
		cluster = append(cluster, rule("", "secrets", "create"))
	}
	return []Grant{
		{Rules: cluster},
		{Namespace: needs.Namespace, Rules: own},
		{Namespace: corev1.NamespaceNodeLease, Rules: NodeLeaseRules(needs.Level)},
	}
}

// levelRules holds what each level needs beyond the one below it. Above level
// simulated that is nothing: whoever may patch a Node may patch each. No verb is a
// wildcard, and none lets rollcall give rights to anybody.
var levelRules = map[requirement.Level][]rbacv1.PolicyRule{
	requirement.API: {
		rule("", "namespaces", "get", "list", "watch", "create", "delete"),
		rule("", "nodes", "get", "list", "watch"),
		rule("", "pods", "get", "list", "watch", "create", "delete"),
		rule("", "pods/ephemeralcontainers", "patch", "update"),
		rule("", "pods/resize", "update"),
		rule("", "limitranges", "get", "list", "watch", "create", "delete"),
		rule("", "resourcequotas", "get", "list", "watch", "create"),
		rule("", "serviceaccounts", "get", "list", "watch"),
		rule("", "events", "list", "watch"),
		rule("apps", "daemonsets", "get", "list", "watch", "create", "update", "patch", "delete"),
		rule("apps", "controllerrevisions", "get", "list", "watch"),
	},
	requirement.Namespace: {
		rule("", "pods", "update", "patch"),
		rule("", "pods/eviction", "create"),
		rule("", "resourcequotas", "delete"),
		rule("", "services", "create"),
		rule("batch", "jobs", "list", "watch", "create"),
		rule("discovery.k8s.io", "endpointslices", "list", "watch"),
	},
	requirement.Simulated: {
		rule("", "nodes", "create", "patch", "delete"),
		rule("", "nodes/status", "patch"),
		rule("", "pods/status", "patch"),
		rule("policy", "poddisruptionbudgets", "list", "watch", "create", "patch"),
	},
	requirement.Outage: {
		rule("storage.k8s.io", "csinodes", "list", "watch"),
	},
}

// Rules returns the rules of a level's ClusterRole. Each level holds what the
// levels below it hold.
func Rules(level requirement.Level) []rbacv1.PolicyRule {
	var rules []rbacv1.PolicyRule
	for _, each := range requirement.Levels {
		if level.Reaches(each) {
			rules = append(rules, levelRules[each]...)
		}
	}
	return merge(rules)
}

// OwnRules returns the rules in rollcall's own namespace: the lock and the
// report.
func OwnRules() []rbacv1.PolicyRule {
	return []rbacv1.PolicyRule{
		rule("coordination.k8s.io", "leases", "get", "list", "watch", "create", "update", "patch", "delete"),
		rule("", "configmaps", "get", "list", "watch", "create", "update", "patch", "delete"),
	}
}

// NodeLeaseRules returns the rules in kube-node-lease: the nodes' clocks are
// read there, and simulated nodes renew their Leases there.
func NodeLeaseRules(level requirement.Level) []rbacv1.PolicyRule {
	verbs := []string{"list"}
	if level.Reaches(requirement.Simulated) {
		verbs = append(verbs, "get", "create", "update", "delete")
	}
	return []rbacv1.PolicyRule{rule("coordination.k8s.io", "leases", verbs...)}
}

func rule(group, resource string, verbs ...string) rbacv1.PolicyRule {
	return rbacv1.PolicyRule{APIGroups: []string{group}, Resources: []string{resource}, Verbs: verbs}
}

// merge joins the rules about the same resource.
func merge(rules []rbacv1.PolicyRule) []rbacv1.PolicyRule {
	var merged []rbacv1.PolicyRule
	for _, r := range rules {
		i := slices.IndexFunc(merged, func(m rbacv1.PolicyRule) bool {
			return m.APIGroups[0] == r.APIGroups[0] && m.Resources[0] == r.Resources[0]
		})
		if i < 0 {
			merged = append(merged, r)
			continue
		}
		merged[i].Verbs = append(slices.Clone(merged[i].Verbs), r.Verbs...)
	}
	return merged
}

// Denied is one thing that the caller may not do.
type Denied struct {
	Verb      string
	Group     string
	Resource  string
	Name      string // empty means every name
	Namespace string // empty means the whole cluster
	// Reason is what the authorizer said, if it said anything.
	Reason string
}

func (d Denied) String() string {
	resource, where := d.Resource, "in all namespaces"
	if d.Group != "" {
		resource += "." + d.Group
	}
	switch {
	case d.Name != "":
		where = d.Name + " in the namespace " + d.Namespace
	case d.Namespace != "":
		where = "in the namespace " + d.Namespace
	case clusterScoped[d.Resource]:
		where = "in the cluster"
	}
	return fmt.Sprintf("cannot %s %s %s", d.Verb, resource, where)
}

// clusterScoped holds the resources of the rules that live in no namespace.
var clusterScoped = map[string]bool{
	"namespaces": true, "nodes": true, "nodes/status": true, "priorityclasses": true,
	"clusterroles": true, "clusterrolebindings": true, "csinodes": true,
}

// Missing asks the API server about every verb that a run needs and returns
// those that are denied, in a stable order.
func (c *Connection) Missing(ctx context.Context, needs Needs) ([]Denied, error) {
	return c.Refused(ctx, Questions(Grants(needs)))
}

// Refused returns the questions that the API server answers with no, with its
// reasons and in a stable order.
func (c *Connection) Refused(ctx context.Context, questions []Denied) ([]Denied, error) {
	if all, err := allowed(ctx, c.Client, Denied{Verb: "*", Group: "*", Resource: "*"}); err != nil || all == nil {
		return nil, err
	}
	var (
		mutex   sync.Mutex
		missing []Denied
	)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(10)
	for _, ask := range questions {
		group.Go(func() error {
			denied, err := allowed(ctx, c.Client, ask)
			if denied != nil {
				mutex.Lock()
				defer mutex.Unlock()
				missing = append(missing, *denied)
			}
			return err
		})
	}
	err := group.Wait()
	slices.SortFunc(missing, func(a, b Denied) int { return cmp.Compare(a.String(), b.String()) })
	return missing, err
}

// Summary names what is denied in one line, the first few in full.
func Summary(missing []Denied) string {
	var lines []string
	for _, denied := range missing {
		lines = append(lines, denied.String())
	}
	return firstOf(lines)
}

// Questions lists every verb of every rule.
func Questions(grants []Grant) []Denied {
	var all []Denied
	for _, grant := range grants {
		for _, r := range grant.Rules {
			for _, verb := range r.Verbs {
				ask := Denied{Verb: verb, Group: r.APIGroups[0], Resource: r.Resources[0], Namespace: grant.Namespace}
				if len(r.ResourceNames) > 0 {
					ask.Name = r.ResourceNames[0]
				}
				all = append(all, ask)
			}
		}
	}
	return all
}

// allowed returns the question with the authorizer's reason if it is denied,
// and nil if it is allowed.
func allowed(ctx context.Context, client kubernetes.Interface, ask Denied) (*Denied, error) {
	review := &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{
		ResourceAttributes: attributes(ask),
	}}
	answer, err := client.AuthorizationV1().SelfSubjectAccessReviews().Create(ctx, review, metav1.CreateOptions{})
	if err != nil {
		return nil, environment(err, "asking what you may do")
	}
	if answer.Status.Allowed {
		return nil, nil
	}
	ask.Reason = answer.Status.Reason
	return &ask, nil
}
