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
	It("is forbidden to whoever lacks one of the rights that are documented, and needs no other", requirement.Checks("DRN-17"), func(ctx SpecContext) {
		stage := simulated(ctx, cluster)
		ordinary := stage.ordinary(ctx, "ordinary")
		nobody := stage.As(rest.AnonymousClientConfig(stage.Config))

		answers(nobody.Drain(ctx, stage.node, "--ignore-daemonsets", "--force"), 1, `(?i)forbidden|unauthorized`)
		Expect(stage.History).To(neverCordoned(stage.node))

		entitled := stage.Scene
		if why := stage.CannotAppoint(ctx); why == "" {
			entitled = lackOne(ctx, stage)
		} else {
			scene.Saw("no single right was taken away, since rollcall may not make an identity with fewer rights: %s", why)
		}
		Expect(stage.History).To(judge.Undisturbed(ordinary))
		answers(entitled.Drain(ctx, stage.node, "--ignore-daemonsets", "--force"), 0, "drained")
		stage.Await(ctx, limit.PodGone, judge.Gone(ordinary))
	})
}

// lackOne lets deputies drain who lack one right each, and returns one who has
// all of them and no other.
func lackOne(ctx SpecContext, stage *trial) *scene.Scene {
	GinkgoHelper()
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
	return stage.Appoint(ctx, "entitled", nodes, pods, evictions, daemonSets)
}
