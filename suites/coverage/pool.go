package coverage

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/node"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

// podOn returns the DaemonSet's live Pod on a node.
func podOn(stage *scene.Scene, agent *appsv1.DaemonSet, nodes judge.Nodes, made *node.Simulated) *corev1.Pod {
	return judge.PodsByNode(stage.History.Latest(), agent.UID, nodes)[made.Node.Name]
}

// byItself is how long a controller gets to follow a change of a node before a
// known deviation is noted. One that follows does so within a second or two.
const byItself = 15 * time.Second

// awaitUnlessKnown waits for what must follow a change of a node. Where it does
// not by itself, in the way that is known of the release, the DaemonSet's
// controller is made to look again, and then there is no excuse.
func awaitUnlessKnown(ctx SpecContext, stage *scene.Scene, agent *appsv1.DaemonSet, known requirement.Deviation, follows judge.Condition) {
	GinkgoHelper()
	if !stage.Sees(ctx, byItself, follows) {
		stage.Waive(known, "Not seen by itself within %s: %s. Instead: %s.", byItself, follows.Claim, follows.Lacks(stage.History.Latest()))
		stage.LookAgain(ctx, agent.Name)
	}
	stage.Await(ctx, limit.Status, follows)
}
