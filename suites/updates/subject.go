package updates

import (
	"fmt"
	"slices"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/utils/ptr"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/scene"
)

const (
	// few is how many nodes a DaemonSet is on, if there are as many, to tell one,
	// some and all of them apart.
	few = 3
	// two is how many nodes it takes to tell one from all of them.
	two = 2
	// quiet is how long something is watched that must not happen. The
	// controller reacts to a change within a second or two.
	quiet = 10 * time.Second
	// settle is minReadySeconds where a spec needs time between two nodes.
	settle = 3
)

// subject is a DaemonSet of version 1 that has all its Pods, on a few nodes and
// nowhere else, and the claims about how it is updated.
type subject struct {
	*scene.Scene
	judge.Rollout
	// set is the DaemonSet as it was created.
	set *appsv1.DaemonSet
	// first are its first Pods, by node.
	first map[string]*corev1.Pod
}

// running returns a DaemonSet with a Ready Pod on each of n nodes, or of as many
// as there are, if these are two at least.
func running(ctx SpecContext, cluster *scene.Cluster, n int, changes ...func(*appsv1.DaemonSet)) *subject {
	GinkgoHelper()
	return runningIn(ctx, cluster.Open(ctx), n, changes...)
}

func runningIn(ctx SpecContext, stage *scene.Scene, n int, changes ...func(*appsv1.DaemonSet)) *subject {
	GinkgoHelper()
	return create(ctx, stage, onSome(stage, n), changes...).started(ctx)
}

// started waits until each node has its first Pod, Ready.
func (s *subject) started(ctx SpecContext) *subject {
	GinkgoHelper()
	state := s.Await(ctx, limit.PodReady, judge.ReadyOnEach(s.set.UID, s.Nodes).And(judge.Complete(s.set.Name, s.Nodes)))
	return s.began(ctx, state)
}

// placed is running for Pods that nobody schedules: an update deletes them at
// once, since they never are available, and they take no time to start or end.
func placed(ctx SpecContext, cluster *scene.Cluster, n int, changes ...func(*appsv1.DaemonSet)) *subject {
	GinkgoHelper()
	stage := cluster.Open(ctx)
	s := create(ctx, stage, onSome(stage, n), append(changes, pods(fixtures.Unscheduled))...)
	state := s.Await(ctx, limit.Placement, judge.PodOnEach(s.set.UID, s.Nodes).And(judge.Scheduled(s.set.Name, s.Nodes)))
	return s.began(ctx, state)
}

// onSome returns a DaemonSet for n nodes, or for as many as there are, if these
// are two at least.
func onSome(stage *scene.Scene, n int) *appsv1.DaemonSet {
	GinkgoHelper()
	return fixtures.DaemonSet("agent", stage.OnSome(n, min(n, two)))
}

// create makes version 1 of a DaemonSet.
func create(ctx SpecContext, stage *scene.Scene, agent *appsv1.DaemonSet, changes ...func(*appsv1.DaemonSet)) *subject {
	GinkgoHelper()
	for _, change := range append(changes, fixtures.Version("1")) {
		change(agent)
	}
	if agent.Spec.MinReadySeconds > 0 {
		stage.ComparesClocks()
	}
	created := stage.CreateDaemonSet(ctx, agent)
	return &subject{Scene: stage, Rollout: judge.RolloutOf(created, stage.Targets(created, 1)), set: created}
}

func (s *subject) began(ctx SpecContext, state *history.State) *subject {
	s.CatchUp(ctx, history.Pod, history.DaemonSet)
	s.first = judge.PodsByNode(state, s.set.UID, s.Nodes)
	return s
}

// update changes the DaemonSet.
func (s *subject) update(ctx SpecContext, changes ...func(*appsv1.DaemonSet)) *appsv1.DaemonSet {
	GinkgoHelper()
	return s.UpdateDaemonSet(ctx, s.set.Name, func(d *appsv1.DaemonSet) {
		for _, change := range changes {
			change(d)
		}
	})
}

// awaitVersion waits until the Ready Pods of a version are all that there is, and
// that the promises are kept throughout: it waits no longer once one is broken,
// and not for long for the first Pod.
func (s *subject) awaitVersion(ctx SpecContext, version string, promises ...judge.Judge) *history.State {
	GinkgoHelper()
	s.awaitBegun(ctx, version)
	updated := s.allOf(version).And(judge.ReadyOnEach(s.set.UID, s.Nodes)).And(judge.Complete(s.set.Name, s.Nodes))
	state := s.Await(ctx, limit.InTurn, updated.UnlessBroken(s.History.History, promises...))
	s.CatchUp(ctx, history.Pod, history.ControllerRevision)
	for _, promise := range promises {
		Expect(s.History).To(promise)
	}
	scene.Saw("%d nodes run version %s: %s", s.Nodes.Len(), version, judge.DescribeStatus(state.DaemonSet(s.set.Name).Status))
	return state
}

// onlyFirstGo is the claim that no Pod goes but the first ones.
func (s *subject) onlyFirstGo() judge.Judge {
	var first []types.UID
	for _, pod := range s.first {
		first = append(first, pod.UID)
	}
	return judge.NoneLeavesBut(s.set.UID, first...)
}

// awaitPlaced is awaitVersion for Pods that nobody schedules.
func (s *subject) awaitPlaced(ctx SpecContext, version string) *history.State {
	GinkgoHelper()
	state := s.Await(ctx, limit.Placement, s.allOf(version).And(judge.PodOnEach(s.set.UID, s.Nodes)).And(s.updated(s.Nodes.Len())))
	s.CatchUp(ctx, history.Pod, history.ControllerRevision)
	return state
}

// awaitBegun waits until the first Pod of a version has been made.
func (s *subject) awaitBegun(ctx SpecContext, version string) *history.State {
	GinkgoHelper()
	return s.Await(ctx, limit.PodReady, judge.Condition{
		Claim: "a Pod of version " + version,
		Lacks: func(state *history.State) string {
			if len(s.of(state, version)) > 0 {
				return ""
			}
			return fmt.Sprintf("the versions are %v", s.versions(state))
		},
	})
}

// allOf is the condition that all live Pods are of a version.
func (s *subject) allOf(version string) judge.Condition {
	return judge.EachPod(s.set.UID, "is of version "+version, not(version))
}

// not finds Pods that are of another version.
func not(version string) judge.Fault {
	return func(pod *corev1.Pod) string {
		if have := versionOf(pod); have != version {
			return "is of version " + have
		}
		return ""
	}
}

// updated is the condition that the status counts n Pods of the newest template.
func (s *subject) updated(n int) judge.Condition {
	return judge.Observed(s.set.Name, fmt.Sprintf("%d Pods of its newest template", n), func(status appsv1.DaemonSetStatus) bool {
		return status.UpdatedNumberScheduled == int32(n)
	})
}

// of returns the live Pods of a version.
func (s *subject) of(state *history.State, version string) []*corev1.Pod {
	return slices.DeleteFunc(state.PodsOf(s.set.UID), func(pod *corev1.Pod) bool { return !judge.Live(pod) || versionOf(pod) != version })
}

// versions returns the version of the live Pod on each node.
func (s *subject) versions(state *history.State) map[string]string {
	versions := map[string]string{}
	for node, pod := range judge.PodsByNode(state, s.set.UID, s.Nodes) {
		versions[node] = versionOf(pod)
	}
	return versions
}

// untouched returns the first Pods that are still live.
func (s *subject) untouched() []*corev1.Pod {
	state := s.History.Latest()
	var pods []*corev1.Pod
	for _, node := range s.Nodes.Eligible {
		now := state.Pod(s.first[node].Name)
		if now != nil && now.UID == s.first[node].UID && judge.Live(now) {
			pods = append(pods, now)
		}
	}
	return pods
}

// departed returns the Pods that have gone by now or have been told to.
func (s *subject) departed() []types.UID {
	var uids []types.UID
	for _, change := range s.History.Changes() {
		if pod, ok := change.Object.(*corev1.Pod); ok && (change.Type == watch.Deleted || judge.Terminating(pod)) {
			uids = append(uids, pod.UID)
		}
	}
	return uids
}

// expectUntouched expects that just so many of the first Pods are still live and
// restarted no container.
func (s *subject) expectUntouched(n int) {
	GinkgoHelper()
	untouched := s.untouched()
	Expect(len(untouched)).To(Equal(n), "first Pods that are left; the versions are %v", s.versions(s.History.Latest()))
	for _, pod := range untouched {
		Expect(s.History).To(judge.Undisturbed(pod))
		for _, status := range pod.Status.ContainerStatuses {
			Expect(status.RestartCount).To(BeZero(), "restarts of container %s of Pod %s", status.Name, pod.Name)
		}
	}
}

func versionOf(pod *corev1.Pod) string { return pod.Annotations[fixtures.VersionAnnotation] }

func uidsOf(pods []*corev1.Pod) []types.UID {
	uids := make([]types.UID, len(pods))
	for i, pod := range pods {
		uids[i] = pod.UID
	}
	return uids
}

// pods changes the template as options of a Pod do.
func pods(options ...fixtures.PodOption) func(*appsv1.DaemonSet) {
	return func(d *appsv1.DaemonSet) {
		for _, option := range options {
			option(&d.Spec.Template)
		}
	}
}

// unavailable allows an update to take so many Pods at a time: a number or a
// percentage.
func unavailable(budget string) func(*appsv1.DaemonSet) {
	return func(d *appsv1.DaemonSet) { fixtures.RollingUpdate(d, ptr.To(intstr.Parse(budget)), nil) }
}

// surging allows an update to start so many second Pods at a time, and to take
// none that is available.
func surging(budget string) func(*appsv1.DaemonSet) {
	return func(d *appsv1.DaemonSet) {
		fixtures.RollingUpdate(d, ptr.To(intstr.FromInt32(0)), ptr.To(intstr.Parse(budget)))
	}
}

func minReady(seconds int32) func(*appsv1.DaemonSet) {
	return func(d *appsv1.DaemonSet) { d.Spec.MinReadySeconds = seconds }
}

// flawed is another version of the first template, with a flaw.
func (s *subject) flawed(version string, flaw fixtures.Flaw) func(*appsv1.DaemonSet) {
	return func(d *appsv1.DaemonSet) {
		d.Spec.Template = *s.set.Spec.Template.DeepCopy()
		flaw(&d.Spec.Template)
		fixtures.Version(version)(d)
	}
}
