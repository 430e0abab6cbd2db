package judge

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	"rollcall.dev/rollcall/framework/history"
)

// skew is how far the clocks of a node, of the controller and of this process
// may be apart. It matters only where Pods must be Ready for a while: a Pod
// counts as available that much earlier than by its own condition.
const skew = time.Second

// Rollout judges the update of one DaemonSet. Its claims start once every node
// has an available Pod; before that there is nothing to lose.
//
// A Pod that was available and stops to be Ready by itself is not the update's
// fault, so its node does not count as one that the update took down.
type Rollout struct {
	DaemonSet types.UID
	Nodes     Nodes
	// MinReady is how long a Pod must be Ready to be available.
	MinReady time.Duration
}

// RolloutOf returns what judges the updates of a DaemonSet.
func RolloutOf(daemonSet *appsv1.DaemonSet, nodes Nodes) Rollout {
	return Rollout{daemonSet.UID, nodes, time.Duration(daemonSet.Spec.MinReadySeconds) * time.Second}
}

// UnavailableAtMost is the claim that the update never leaves more than n nodes
// without an available Pod. A terminating Pod is not available, whatever it
// still does.
func (r Rollout) UnavailableAtMost(n int) Judge {
	return r.atMost(n, "the update has taken the available Pod", view.down)
}

// AvailableThroughout is the claim that the update never leaves a node without
// an available Pod.
func (r Rollout) AvailableThroughout() Judge {
	j := r.UnavailableAtMost(0)
	j.Claim = fmt.Sprintf("at every instant of the update, there is an available Pod on each of %s", r.Nodes)
	return j
}

// SurgeAtMost is the claim that at most n nodes at a time have, beside their
// available Pod, another one that is not available yet. Once that one is, the
// controller may start on the next node before the old Pod has been told to go.
func (r Rollout) SurgeAtMost(n int) Judge {
	return r.atMost(n, "there is a second Pod that is not available yet", view.surging)
}

// UnavailableReaches is the claim that at some instant the update leaves n
// nodes at once without an available Pod: a budget that is never used up does
// not show how it is rounded.
func (r Rollout) UnavailableReaches(n int) Judge {
	return r.reaches(n, "the update has taken the available Pod", view.down)
}

// SurgeReaches is the claim that at some instant n nodes at once have a second
// Pod that is not available yet.
func (r Rollout) SurgeReaches(n int) Judge {
	return r.reaches(n, "there is a second Pod that is not available yet", view.surging)
}

func (r Rollout) atMost(n int, what string, count func(view) []string) Judge {
	return Judge{Claim: fmt.Sprintf("at every instant, on at most %d of %d nodes %s", n, r.Nodes.Len(), what), Find: func(h *history.History) []Violation {
		var violations []Violation
		began := false
		for now := range r.views(h) {
			began = true
			if nodes := count(now); len(nodes) > n {
				violations = append(violations, Violation{At: now.at, Message: fmt.Sprintf("on %d nodes %s: %s", len(nodes), what, now.describe(nodes))})
			}
		}
		return append(violations, r.neverBegan(h, began)...)
	}}
}

func (r Rollout) reaches(n int, what string, count func(view) []string) Judge {
	return Judge{Claim: fmt.Sprintf("at some instant, on %d of %d nodes at once %s", n, r.Nodes.Len(), what), Find: func(h *history.History) []Violation {
		most, at := 0, h.Latest().At
		for now := range r.views(h) {
			if nodes := count(now); len(nodes) > most {
				most, at = len(nodes), now.at
			}
		}
		if most >= n {
			return nil
		}
		return []Violation{{At: at, Message: fmt.Sprintf("it was on %d nodes at most that %s", most, what)}}
	}}
}

func (r Rollout) neverBegan(h *history.History, began bool) []Violation {
	if began {
		return nil
	}
	return []Violation{{At: h.Latest().At, Message: "there never was an available Pod on each node to begin with"}}
}

// SparesAvailable is the claim that no available Pod is told to go while n other
// nodes are without an available Pod, for whatever reason.
func (r Rollout) SparesAvailable(n int) Judge {
	claim := fmt.Sprintf("no available Pod is told to go while %d other nodes have none", n)
	return Judge{Claim: claim, Find: func(h *history.History) []Violation {
		var violations []Violation
		for now := range r.views(h) {
			pod := r.toldToGo(now)
			if pod == nil {
				continue
			}
			without := slices.DeleteFunc(now.without(), func(node string) bool { return node == TargetNode(pod) })
			if len(without) >= n {
				violations = append(violations, violation(now.at, pod, "is told to go while there is none on "+now.describe(without)))
			}
		}
		return violations
	}}
}

// toldToGo returns the available Pod that a change asks to go, or nil.
func (r Rollout) toldToGo(now view) *corev1.Pod {
	before, wasPod := now.change.Before.(*corev1.Pod)
	pod, isPod := now.change.Object.(*corev1.Pod)
	if !wasPod || !isPod || !controlledBy(pod, r.DaemonSet) || !slices.Contains(r.Nodes.Eligible, TargetNode(pod)) {
		return nil
	}
	goes := now.change.Type == watch.Deleted || Terminating(pod)
	if goes && Available(before, r.MinReady, now.at) {
		return pod
	}
	return nil
}

// GoBeforeNew is the claim that all of these Pods are told to go before any Pod
// that is made after them is available.
func (r Rollout) GoBeforeNew(old map[string]*corev1.Pod, first ...*corev1.Pod) Judge {
	known := map[types.UID]bool{}
	for _, pod := range old {
		known[pod.UID] = true
	}
	return Judge{Claim: fmt.Sprintf("%s are told to go before any new Pod is available", podNames(first)), Find: func(h *history.History) []Violation {
		for _, state := range h.States() {
			if !r.anyNewAvailable(state, known) {
				continue
			}
			for _, pod := range first {
				if now := state.Pod(pod.Name); now != nil && now.UID == pod.UID && !Terminating(now) {
					return []Violation{violation(state.At, now, "has not been told to go yet, and a new Pod is available")}
				}
			}
			return nil
		}
		return []Violation{{At: h.Latest().At, Message: "no new Pod was ever available"}}
	}}
}

func (r Rollout) anyNewAvailable(state *history.State, known map[types.UID]bool) bool {
	return slices.ContainsFunc(state.PodsOf(r.DaemonSet), func(pod *corev1.Pod) bool {
		return !known[pod.UID] && Available(pod, r.MinReady, state.At)
	})
}

func podNames(pods []*corev1.Pod) string {
	names := make([]string, len(pods))
	for i, pod := range pods {
		names[i] = pod.Name
	}
	return strings.Join(names, ", ")
}

// view is a DaemonSet's live Pods, by node, right after a change.
type view struct {
	at     time.Time
	change history.Change
	nodes  []string
	live   map[string][]*corev1.Pod
	// available are the Pods that are available now, lost those that were once
	// and are live still.
	available, lost map[types.UID]bool
}

// views yields the view at every change from the first one at which every node
// has an available Pod.
func (r Rollout) views(h *history.History) iter.Seq[view] {
	return func(yield func(view) bool) {
		began, once := false, map[types.UID]bool{}
		var before *history.State
		for change, state := range h.States() {
			r.remember(once, before, change.At)
			r.remember(once, state, change.At)
			now := r.view(change, state, once)
			began = began || len(now.without()) == 0
			if began && !yield(now) {
				return
			}
			before = state
		}
	}
}

// remember notes which Pods of a state are available at an instant. The state
// before a change counts too: time alone makes a Pod available.
func (r Rollout) remember(once map[types.UID]bool, state *history.State, at time.Time) {
	if state == nil {
		return
	}
	for _, pod := range state.PodsOf(r.DaemonSet) {
		if r.available(pod, at) {
			once[pod.UID] = true
		}
	}
}

func (r Rollout) available(pod *corev1.Pod, at time.Time) bool {
	return Available(pod, r.MinReady, at.Add(skew))
}

func (r Rollout) view(change history.Change, state *history.State, once map[types.UID]bool) view {
	now := view{
		at: change.At, change: change, nodes: r.Nodes.Eligible,
		live: map[string][]*corev1.Pod{}, available: map[types.UID]bool{}, lost: map[types.UID]bool{},
	}
	for _, pod := range state.PodsOf(r.DaemonSet) {
		if !Live(pod) {
			continue
		}
		node := TargetNode(pod)
		now.live[node] = append(now.live[node], pod)
		now.available[pod.UID] = r.available(pod, change.At)
		now.lost[pod.UID] = once[pod.UID] && !now.available[pod.UID]
	}
	return now
}

// without returns the nodes that have no available Pod, for whatever reason.
func (v view) without() []string {
	return v.which(func(pods []*corev1.Pod) bool {
		return !slices.ContainsFunc(pods, func(pod *corev1.Pod) bool { return v.available[pod.UID] })
	})
}

// down returns the nodes that have no available Pod and none either that was
// available and stopped to be so by itself.
func (v view) down() []string {
	return v.which(func(pods []*corev1.Pod) bool { return !slices.ContainsFunc(pods, v.served) })
}

// surging returns the nodes that have a Pod which is not available yet beside
// one that is or was.
func (v view) surging() []string {
	return v.which(func(pods []*corev1.Pod) bool {
		return slices.ContainsFunc(pods, v.served) && slices.ContainsFunc(pods, func(pod *corev1.Pod) bool { return !v.served(pod) })
	})
}

func (v view) served(pod *corev1.Pod) bool { return v.available[pod.UID] || v.lost[pod.UID] }

func (v view) which(holds func([]*corev1.Pod) bool) []string {
	return slices.DeleteFunc(slices.Clone(v.nodes), func(node string) bool { return !holds(v.live[node]) })
}

func (v view) describe(nodes []string) string {
	texts := make([]string, len(nodes))
	for i, node := range nodes {
		var pods []string
		for _, pod := range v.live[node] {
			pods = append(pods, pod.Name+" "+DescribePod(pod))
		}
		texts[i] = fmt.Sprintf("%s (%s)", node, cmp.Or(strings.Join(pods, " and "), "no live Pod"))
	}
	return strings.Join(texts, "; ")
}
