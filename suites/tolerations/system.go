package tolerations

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

func system(cluster *scene.Cluster) {
	It("leaves no node without the system's own DaemonSets that they tolerate", requirement.Checks("TOL-19"), func(ctx SpecContext) {
		onlooker := cluster.Watch(ctx, metav1.NamespaceSystem)
		sets := history.Objects[*appsv1.DaemonSet](onlooker.History().Latest(), history.DaemonSet)
		if len(sets) == 0 {
			Skip("there is no DaemonSet in " + metav1.NamespaceSystem)
		}

		state := onlooker.Await(ctx, limit.PodReady, judge.AllCovered(cluster.Roster))

		for _, set := range sets {
			scene.Saw("%s", reach(set, judge.EligibleNodes(set, state.Nodes(), cluster.Roster)))
		}
	})
}

// reach tells on how many nodes a DaemonSet belongs, and why not on the others.
func reach(set *appsv1.DaemonSet, nodes judge.Nodes) string {
	text := fmt.Sprintf("DaemonSet %s/%s covers the %d nodes that it belongs on", set.Namespace, set.Name, nodes.Len())
	if excuses := nodes.Excuses(); len(excuses) > 0 {
		text += "; not on " + strings.Join(excuses, "; ")
	}
	return text
}
