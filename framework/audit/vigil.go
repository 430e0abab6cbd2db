package audit

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/watch"

	"rollcall.dev/rollcall/framework/cluster"
	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/judge"
)

// Vigil follows one DaemonSet through the changes of its Pods and of the nodes
// and judges the budgets of its rollouts. It is pure: changes go in, lines to
// tell come out.
//
// The judge is the one of the suites, over a recorded history. The recording
// begins anew whenever each node that is judged has an available Pod, for then
// nothing that was before matters; nodes that came in the meantime are judged
// from there on. A node that leaves is no longer judged.
type Vigil struct {
	namespace, name string
	roster          Roster // nil for every node

	daemonSet *appsv1.DaemonSet
	judged    []string
	recorded  *history.History
	broken    map[string]time.Time // claims that do not hold now, and since when
	// Breaches are the instants at which a budget was first broken.
	Breaches []Breach

	told map[string]string // what was last told of each node
}

// Breach is when and where a budget was broken.
type Breach struct {
	At    time.Time
	Claim string
	Seen  string
}

// NewVigil follows the DaemonSet of that name on the nodes of a roster, or on
// all nodes if it is nil.
func NewVigil(namespace, name string, roster Roster) *Vigil {
	return &Vigil{namespace: namespace, name: name, roster: roster, recorded: history.New(), broken: map[string]time.Time{}, told: map[string]string{}}
}

// See takes one change and the state after it, and returns what is to be told.
func (v *Vigil) See(change history.Change, state *history.State) []string {
	lines := v.seeDaemonSet(change, state)
	if v.daemonSet == nil {
		return lines
	}
	lines = append(lines, v.seeNodes(change, state)...)
	if change.Kind == history.Pod {
		v.recorded.AppendAt(change.At, change.Kind, change.Type, change.Object)
	}
	return append(lines, v.restart(change, state)...)
}

func clock(at time.Time) string { return at.UTC().Format("15:04:05") }

// seeDaemonSet tells when the DaemonSet itself changed.
func (v *Vigil) seeDaemonSet(change history.Change, state *history.State) []string {
	before := v.daemonSet
	v.daemonSet = state.DaemonSet(v.name)
	switch {
	case before == nil || change.Kind != history.DaemonSet:
		return nil
	case v.daemonSet == nil:
		return []string{clock(change.At) + "  the DaemonSet was deleted"}
	case before.Generation != v.daemonSet.Generation:
		return []string{fmt.Sprintf("%s  generation %d: %s", clock(change.At), v.daemonSet.Generation, v.budgets(state))}
	default:
		return nil
	}
}

// budgets describes what a rollout may do.
func (v *Vigil) budgets(state *history.State) string {
	if v.daemonSet.Spec.UpdateStrategy.Type == appsv1.OnDeleteDaemonSetStrategyType {
		return "OnDelete, so old Pods stay until they are deleted"
	}
	n := len(v.eligible(state))
	text := fmt.Sprintf("at most %d of %d nodes without an available Pod", maxUnavailable(v.daemonSet, n), n)
	if surges(v.daemonSet) {
		text += fmt.Sprintf(", at most %d with a second one", maxSurge(v.daemonSet, n))
	}
	return text
}

// meant returns the roster, which without one is every node that can be on one.
func (v *Vigil) meant(state *history.State) Roster {
	if v.roster != nil {
		return v.roster
	}
	all := Roster{}
	for _, node := range state.Nodes() {
		if cluster.Excluded(node) == "" {
			all[node.Name] = node.UID
		}
	}
	return all
}

// eligible returns the nodes of the roster that are there and on which the
// DaemonSet belongs. A node that is not Ready keeps its place: its taints say
// nothing of where the DaemonSet is meant to be.
func (v *Vigil) eligible(state *history.State) []string {
	meant := v.meant(state)
	var names []string
	for _, node := range state.Nodes() {
		if meant.has(node.Name) && len(v.lasting(node)) == 0 {
			names = append(names, node.Name)
		}
	}
	return names
}

// lasting returns the obstacles of a node but for the taints that come and go
// with its condition.
func (v *Vigil) lasting(node *corev1.Node) []judge.Obstacle {
	return slices.DeleteFunc(judge.Obstacles(v.daemonSet.Spec.Template.Spec, node), func(o judge.Obstacle) bool {
		return o.Kind == judge.UntoleratedTaint && (o.Taint.Key == corev1.TaintNodeNotReady || o.Taint.Key == corev1.TaintNodeUnreachable)
	})
}

// seeNodes tells of each node that looks otherwise than before.
func (v *Vigil) seeNodes(change history.Change, state *history.State) []string {
	now := v.look(state)
	var lines []string
	names := maps.Clone(v.told)
	maps.Copy(names, now)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if now[name] != v.told[name] && (change.Kind != history.DaemonSet || len(v.told) > 0) {
			lines = append(lines, fmt.Sprintf("%s  %s: %s", clock(change.At), name, cmp.Or(now[name], "gone")))
		}
	}
	if len(lines) > 0 {
		lines[len(lines)-1] += "  [" + v.totals(state, change.At) + "]"
	}
	v.told = now
	return lines
}

// look describes every node that is eligible or has a Pod.
func (v *Vigil) look(state *history.State) map[string]string {
	seen := map[string]string{}
	for _, name := range v.eligible(state) {
		seen[name] = "no Pod"
		if node := state.Node(name); !judge.NodeReady(node) {
			seen[name] = "node NotReady, no Pod"
		}
	}
	pods := map[string][]string{}
	for _, pod := range state.PodsOf(v.daemonSet.UID) {
		name := judge.TargetNode(pod)
		pods[name] = append(pods[name], v.describe(pod))
	}
	for name, texts := range pods {
		slices.Sort(texts)
		text := strings.Join(texts, " + ")
		if node := state.Node(name); node != nil && !judge.NodeReady(node) {
			text = "node NotReady, " + text
		}
		seen[cmp.Or(name, "(no node)")] = text
	}
	return seen
}

// describe is a Pod in a few words: its version and how far it is.
func (v *Vigil) describe(pod *corev1.Pod) string {
	short := reduce(pod)
	how := strings.ToLower(string(short.Phase))
	switch {
	case short.Terminating:
		how = "terminating"
	case short.Ready:
		how = "ready"
	case short.sick != nil && len(short.sick.causes) > 0 && pod.Spec.NodeName != "":
		how = passingWord(short.sick.causes[0].Kind)
	}
	text := cmp.Or(revisionOf(short), "no version") + " " + how
	if short.Restarts > 0 {
		text += ", " + plural(int(short.Restarts), "restart", "restarts")
	}
	return text
}

// passingWord is a kind of cause as it looks to whoever follows each moment: what
// has not started yet is starting.
func passingWord(kind Kind) string {
	if kind == NotStarted {
		return string(Starting)
	}
	return string(kind)
}

// totals counts the nodes with an available Pod, and those with one of the newest
// version.
func (v *Vigil) totals(state *history.State, at time.Time) string {
	nodes, newest := v.eligible(state), v.newest(state)
	available, updated := 0, 0
	for _, name := range nodes {
		have := v.availableOn(state, name, at)
		if len(have) > 0 {
			available++
		}
		if slices.ContainsFunc(have, func(p *corev1.Pod) bool {
			return newest != "" && p.Labels[appsv1.ControllerRevisionHashLabelKey] == newest
		}) {
			updated++
		}
	}
	text := fmt.Sprintf("available %d of %d", available, len(nodes))
	if newest != "" {
		text += fmt.Sprintf(", newest %d", updated)
	}
	return text
}

func (v *Vigil) newest(state *history.State) string {
	revisions := judge.RevisionsOf(state, v.daemonSet.UID)
	if len(revisions) == 0 {
		return ""
	}
	return revisions[len(revisions)-1].Labels[appsv1.ControllerRevisionHashLabelKey]
}

func (v *Vigil) availableOn(state *history.State, node string, at time.Time) []*corev1.Pod {
	minReady := time.Duration(v.daemonSet.Spec.MinReadySeconds) * time.Second
	return slices.DeleteFunc(state.PodsOf(v.daemonSet.UID), func(p *corev1.Pod) bool {
		return judge.TargetNode(p) != node || !judge.Available(p, minReady, at)
	})
}

// Done reports whether the controller has seen the newest generation and each
// eligible node has an available Pod of the newest version and no other.
func (v *Vigil) Done(state *history.State, at time.Time) bool {
	if v.daemonSet == nil || v.daemonSet.Status.ObservedGeneration < v.daemonSet.Generation {
		return false
	}
	newest := v.newest(state)
	nodes := v.eligible(state)
	pods := state.PodsOf(v.daemonSet.UID)
	for _, name := range nodes {
		have := v.availableOn(state, name, at)
		if len(have) != 1 || newest != "" && have[0].Labels[appsv1.ControllerRevisionHashLabelKey] != newest {
			return false
		}
	}
	return len(pods) == len(nodes)
}

// Uncovered returns the nodes without an available Pod: those of the roster, or if
// there is none, those on which the DaemonSet belongs by its spec. Without a roster
// nobody can say whether it was meant for the others.
func (v *Vigil) Uncovered(state *history.State, at time.Time) []string {
	if v.daemonSet == nil {
		return v.meant(state).Names()
	}
	expected := v.eligible(state)
	if v.roster != nil {
		expected = v.roster.Names()
	}
	return which(expected, func(name string) bool { return len(v.availableOn(state, name, at)) == 0 })
}

// restart begins the recording anew where nothing before matters.
func (v *Vigil) restart(change history.Change, state *history.State) []string {
	nodes := v.eligible(state)
	v.judged = slices.DeleteFunc(v.judged, func(name string) bool { return !slices.Contains(nodes, name) })
	if slices.ContainsFunc(v.judged, func(name string) bool { return len(v.availableOn(state, name, change.At)) == 0 }) {
		return nil
	}
	lines := v.Judge(change.At)
	v.judged = which(nodes, func(name string) bool { return len(v.availableOn(state, name, change.At)) > 0 })
	v.recorded = history.New()
	for _, pod := range state.PodsOf(v.daemonSet.UID) {
		v.recorded.AppendAt(change.At, history.Pod, watch.Added, pod)
	}
	return lines
}

// Judge judges what was recorded and tells what began or ceased to be broken.
func (v *Vigil) Judge(now time.Time) []string {
	if v.daemonSet == nil || len(v.judged) == 0 || v.daemonSet.Spec.UpdateStrategy.Type == appsv1.OnDeleteDaemonSetStrategyType {
		return nil
	}
	var lines []string
	for _, claim := range v.claims() {
		lines = append(lines, v.weigh(claim, now)...)
	}
	return lines
}

// claims are the budgets of the DaemonSet, for as many nodes as are judged.
func (v *Vigil) claims() []judge.Judge {
	n := len(v.judged)
	rollout := judge.RolloutOf(v.daemonSet, judge.Nodes{Eligible: v.judged})
	claims := []judge.Judge{rollout.UnavailableAtMost(maxUnavailable(v.daemonSet, n))}
	if surges(v.daemonSet) {
		claims = append(claims, rollout.SurgeAtMost(maxSurge(v.daemonSet, n)))
	}
	return claims
}

func (v *Vigil) weigh(claim judge.Judge, now time.Time) []string {
	violations := claim.Find(v.recorded)
	since, was := v.broken[claim.Claim]
	last := v.lastChange()
	switch {
	case len(violations) == 0 && !was:
		return nil
	case len(violations) > 0 && !was:
		first := violations[0]
		if slices.ContainsFunc(v.Breaches, func(b Breach) bool { return b.Claim == claim.Claim && !b.At.Before(first.At) }) {
			return nil // it was told, and the recording goes on
		}
		v.broken[claim.Claim] = first.At
		v.Breaches = append(v.Breaches, Breach{first.At, claim.Claim, first.Message})
		return []string{fmt.Sprintf("%s  BUDGET BROKEN  %s", clock(first.At), first.Message), strings.Repeat(" ", 10) + "allowed: " + claim.Claim}
	case len(violations) == 0 || violations[len(violations)-1].At.Before(last):
		delete(v.broken, claim.Claim)
		return []string{fmt.Sprintf("%s  within the budget again, after %s", clock(now), now.Sub(since).Round(time.Second))}
	default:
		return nil
	}
}

// lastChange is the instant of the newest recorded change.
func (v *Vigil) lastChange() time.Time { return v.recorded.Latest().At }
