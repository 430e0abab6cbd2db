package drain

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/client-go/rest"

	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

// What a drain asks of the API server.
var (
	nodes      = rule("", "nodes", "get", "patch")
	pods       = rule("", "pods", "list", "get")
	evictions  = rule("", "pods/eviction", "create")
	daemonSets = rule("apps", "daemonsets", "get")
)

func rule(group, resource string, verbs ...string) rbacv1.PolicyRule {
	return rbacv1.PolicyRule{APIGroups: []string{group}, Resources: []string{resource}, Verbs: verbs}
}

// forbidden is how kubectl tells that a right is missing.
func forbidden(resource string) string {
	return `(?is)forbidden.*` + resource + `|` + resource + `.*forbidden`
}

func rights(cluster *scene.Cluster) {
	It("is forbidden to whoever has no rights", requirement.Checks("DRN-17"), func(ctx SpecContext) {
		stage := simulated(ctx, cluster)
		nobody := stage.As(rest.AnonymousClientConfig(stage.Config))

		answers(nobody.Drain(ctx, stage.node, "--ignore-daemonsets"), 1, `(?i)forbidden|unauthorized`)

		Expect(stage.History).To(neverCordoned(stage.node))
		// The contrast: whoever has all rights drains the same node.
		answers(stage.Drain(ctx, stage.node, "--ignore-daemonsets"), 0, "drained")
	})

	It("needs each of the rights that are documented, and no other", requirement.Checks("DRN-17"), func(ctx SpecContext) {
		stage := simulated(ctx, cluster)
		if why := stage.CannotAppoint(ctx); why != "" {
			scene.Saw("no right was taken away on trial, since rollcall may not make an identity with fewer rights: %s", why)
			return
		}
		ordinary := stage.ordinary(ctx, "ordinary")
		for _, lacking := range []struct {
			resource string
			deputy   *scene.Scene
		}{
			{"nodes", stage.Appoint(ctx, "without-nodes", pods, evictions, daemonSets)},
			{"pods", stage.Appoint(ctx, "without-pods", nodes, evictions, daemonSets)},
			{"daemonsets", stage.Appoint(ctx, "without-daemonsets", nodes, pods, evictions)},
			{"pods/eviction", stage.Appoint(ctx, "without-evictions", nodes, pods, daemonSets)},
		} {
			answers(lacking.deputy.Drain(ctx, stage.node, "--ignore-daemonsets", "--force"), 1, forbidden(lacking.resource))
		}
		Expect(stage.History).To(judge.Undisturbed(ordinary))

		entitled := stage.Appoint(ctx, "entitled", nodes, pods, evictions, daemonSets)
		answers(entitled.Drain(ctx, stage.node, "--ignore-daemonsets", "--force"), 0, "drained")
		stage.Await(ctx, limit.PodGone, judge.Gone(ordinary))
	})
}
