package tolerations

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/node"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

// Four nodes, each with one taint.
var tainted = map[string]corev1.Taint{
	"red":       {Key: ours, Value: "red", Effect: corev1.TaintEffectNoSchedule},
	"blue":      {Key: ours, Value: "blue", Effect: corev1.TaintEffectNoSchedule},
	"red-hot":   {Key: ours, Value: "red", Effect: corev1.TaintEffectNoExecute},
	"other-red": {Key: ours + "-other", Value: "red", Effect: corev1.TaintEffectNoSchedule},
}

// matches says of a toleration which of these nodes it opens, as documented.
var matches = []struct {
	name       string
	toleration corev1.Toleration
	opens      []string
}{
	{"exists", corev1.Toleration{Key: ours, Operator: corev1.TolerationOpExists}, []string{"red", "blue", "red-hot"}},
	{"exists-for-effect", corev1.Toleration{Key: ours, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoSchedule}, []string{"red", "blue"}},
	{"equal", corev1.Toleration{Key: ours, Operator: corev1.TolerationOpEqual, Value: "red"}, []string{"red", "red-hot"}},
	{"equal-for-effect", corev1.Toleration{Key: ours, Operator: corev1.TolerationOpEqual, Value: "red", Effect: corev1.TaintEffectNoExecute}, []string{"red-hot"}},
	{"equal-by-default", corev1.Toleration{Key: ours, Value: "blue", Effect: corev1.TaintEffectNoSchedule}, []string{"blue"}},
	{"equal-to-nothing", corev1.Toleration{Key: ours, Operator: corev1.TolerationOpEqual}, nil},
	{"every-key", corev1.Toleration{Operator: corev1.TolerationOpExists}, []string{"red", "blue", "red-hot", "other-red"}},
	{"every-key-for-effect", corev1.Toleration{Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoSchedule}, []string{"red", "blue", "other-red"}},
}

func matching(cluster *scene.Cluster) {
	It("lets a DaemonSet onto just those tainted nodes that its toleration matches", requirement.Checks("TOL-11"), func(ctx SpecContext) {
		stage := cluster.Open(ctx)
		names, fence := map[string]string{}, corev1.Taint{}
		for colour, taint := range tainted {
			made := stage.SimulateNode(ctx, node.Tainted(taint))
			names[colour], fence = made.Node.Name, made.Fence
		}
		sets := map[string]*appsv1.DaemonSet{}
		for _, match := range matches {
			sets[match.name] = stage.CreateDaemonSet(ctx, fixtures.DaemonSet(match.name,
				fixtures.Fenced(fence, slices.Collect(maps.Values(names))...), fixtures.Tolerate(match.toleration)))
		}

		for _, match := range matches {
			set := sets[match.name]
			nodes := stage.Eligible(set)
			Expect(nodes.Eligible).To(ConsistOf(namesOf(names, match.opens)), match.name)
			stage.Await(ctx, limit.PodReady, judge.ReadyOnEach(set.UID, nodes).And(judge.Counts(set.Name, int32(len(match.opens)), 0)))
			scene.Saw("the toleration %s opens the nodes %s", judge.DescribeToleration(match.toleration), cmp.Or(strings.Join(match.opens, ", "), "of no colour"))
		}
		stage.CatchUp(ctx, history.Pod)
		for _, set := range sets {
			Expect(stage.History).To(judge.NeverElsewhere(set.UID, stage.Eligible(set)))
		}
	})
}

// namesOf returns the names of the nodes of these colours.
func namesOf(names map[string]string, colours []string) []string {
	var nodes []string
	for _, colour := range colours {
		nodes = append(nodes, names[colour])
	}
	return nodes
}
