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

	"rollcall.dev/rollcall/framework/cluster"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
)

// joiningFor is how long a new node may take: to boot, to get its network and to
// pull its images.
const joiningFor = 5 * time.Minute

// overdueAfter is how long a Pod may outlast its grace period: the kubelet looks
// after it at least once a minute.
const overdueAfter = time.Minute

// inquiry asks why the nodes and Pods of one audit are among its findings.
type inquiry struct {
	*Snapshot
	daemonSet *appsv1.DaemonSet
	roster    Roster
	nodes     map[string]*corev1.Node
	byTarget  map[string][]Pod
}

// causes returns why each node of the roster, each other node with a Pod, and
// each Pod without a node is among the findings. Nodes come in the order of
// their names, and what is to be mended first comes first.
func (q inquiry) causes() []Cause {
	names := map[string]bool{}
	for name := range q.roster {
		names[name] = true
	}
	for name := range q.byTarget {
		names[name] = true
	}
	var all []Cause
	for _, name := range slices.Sorted(maps.Keys(names)) {
		for _, cause := range q.about(name) {
			all = append(all, cause.on(name))
		}
	}
	return all
}

func (q inquiry) about(name string) []Cause {
	pods := q.byTarget[name]
	if name == "" {
		return q.ills(pods)
	}
	var causes []Cause
	node := q.nodes[name]
	if q.roster.has(name) {
		causes = append(causes, q.aboutNode(name, node)...)
	} else {
		causes = append(causes, q.offRoster(node))
	}
	// A node that is gone or silent explains whatever its Pods say.
	explained := slices.ContainsFunc(causes, func(c Cause) bool {
		return c.Kind == NodeGone || c.Kind == NodeNotReady || c.Kind == Leaving || c.Kind == Joining
	})
	if node != nil && !explained && q.roster.has(name) && !slices.ContainsFunc(pods, isReady) {
		causes = append(causes, q.absent(node, pods)...)
	}
	causes = append(causes, q.several(pods)...)
	if !explained {
		causes = append(causes, q.ills(pods)...)
	}
	return causes
}

func isReady(pod Pod) bool { return pod.Ready }

// isLive reports whether a Pod is neither finished nor asked to go.
func isLive(pod Pod) bool {
	return !pod.Terminating && pod.Phase != corev1.PodFailed && pod.Phase != corev1.PodSucceeded
}

// aboutNode is about a node of the roster, whatever Pods it has.
func (q inquiry) aboutNode(name string, node *corev1.Node) []Cause {
	if node == nil {
		return []Cause{{
			Kind: NodeGone, Summary: "the cluster has no such node", Evidence: []string{"the roster names it with UID " + string(q.roster[name])},
			Next: "If the machine was taken out on purpose, write the roster anew; if not, see why it does not register.",
		}}
	}
	var causes []Cause
	if node.UID != q.roster[name] {
		causes = append(causes, Cause{
			Kind: NodeReplaced, Summary: "the node was created anew under the same name",
			Evidence: []string{fmt.Sprintf("the roster names UID %s, the node has UID %s since %s", q.roster[name], node.UID, stamp(node.CreationTimestamp.Time))},
			Next:     "If it was replaced on purpose, write the roster anew; if not, find out who deleted the Node object, and whether it is the machine that you meant.",
		})
	}
	if !judge.NodeReady(node) {
		causes = append(causes, q.silent(node))
	}
	return causes
}

// silent is about a node that is not Ready.
func (q inquiry) silent(node *corev1.Node) Cause {
	c := Cause{
		Kind: NodeNotReady, Summary: "the node is not Ready",
		Next: "Look at the node itself: is the machine up, does its kubelet run and reach the API server, does its network plugin run?",
	}
	ready := nodeCondition(node, corev1.NodeReady)
	if ready == nil {
		c = c.seen("the node reports no condition Ready")
	} else {
		c.Summary += ": " + cmp.Or(sentence(ready.Reason, ready.Message), string(ready.Status))
		c = c.seen(fmt.Sprintf("condition Ready is %s since %s, last heartbeat %s", ready.Status, stamp(ready.LastTransitionTime.Time), stamp(ready.LastHeartbeatTime.Time)))
	}
	if going, cause := q.passing(node); going {
		return cause.seen(c.Evidence...)
	}
	return c
}

func nodeCondition(node *corev1.Node, kind corev1.NodeConditionType) *corev1.NodeCondition {
	for i := range node.Status.Conditions {
		if node.Status.Conditions[i].Type == kind {
			return &node.Status.Conditions[i]
		}
	}
	return nil
}

// passing reports whether a node is about to join or to leave.
func (q inquiry) passing(node *corev1.Node) (bool, Cause) {
	excluded := cluster.Excluded(node)
	age := q.At.Sub(node.CreationTimestamp.Time)
	switch {
	case strings.HasPrefix(excluded, "leaving"):
		return true, Cause{Kind: Leaving, Legal: true, Summary: "the node is " + excluded, Next: "Nothing, if it is meant to go: write the roster anew when it has gone."}
	case strings.HasPrefix(excluded, "joining"):
		return true, Cause{Kind: Joining, Legal: true, Summary: "the node is " + excluded, Next: "Audit again in a few minutes."}
	case age < joiningFor && !node.CreationTimestamp.IsZero():
		return true, Cause{
			Kind: Joining, Legal: true, Summary: "the node is joining", Evidence: []string{"it was created at " + stamp(node.CreationTimestamp.Time)},
			Next: fmt.Sprintf("Audit again when it is %s old.", joiningFor),
		}
	default:
		return false, Cause{}
	}
}

// offRoster is about a node that has Pods and is not on the roster.
func (q inquiry) offRoster(node *corev1.Node) Cause {
	c := Cause{Kind: OffRoster, Summary: "the node has a Pod and is not on the roster"}
	if node == nil {
		c.Summary = "there is a Pod for a node that does not exist"
		c.Next = "The controller removes Pods of nodes that have gone. If this one stays, delete it by hand."
		return c
	}
	if obstacles := q.obstacles(node); len(obstacles) > 0 {
		c.Summary = "the node has a Pod, is not on the roster, and by the DaemonSet's own spec does not belong to it"
		c.Evidence = evidenceOf(obstacles)
		c.Next = "A NoSchedule taint leaves Pods alone that are there already. If this one should go, delete it: it does not come back."
		return c
	}
	c = c.seen("by its spec the DaemonSet belongs there; the node was created at " + stamp(node.CreationTimestamp.Time))
	c.Next = "If the node is meant to be covered, write the roster anew; if not, narrow the DaemonSet's nodeSelector."
	return c
}

func (q inquiry) obstacles(node *corev1.Node) []judge.Obstacle {
	return judge.Obstacles(q.daemonSet.Spec.Template.Spec, node)
}

func evidenceOf(obstacles []judge.Obstacle) []string {
	texts := make([]string, len(obstacles))
	for i, obstacle := range obstacles {
		texts[i] = obstacle.Text
	}
	return texts
}

// absent is about a node of the roster that is there and Ready and has no Ready
// Pod: does the DaemonSet belong there, and if so, why is there no Pod?
func (q inquiry) absent(node *corev1.Node, pods []Pod) []Cause {
	if obstacles := q.obstacles(node); len(obstacles) > 0 {
		return q.barred(node, obstacles)
	}
	if len(pods) > 0 {
		return nil
	}
	if refused, ok := q.refused(); ok {
		return []Cause{refused}
	}
	if going, cause := q.passing(node); going {
		return []Cause{cause}
	}
	return []Cause{q.unexplained(node)}
}

// barred is about a node on which the DaemonSet, by its own spec, does not
// belong, so that no counter of it shows the node.
func (q inquiry) barred(node *corev1.Node, obstacles []judge.Obstacle) []Cause {
	if going, cause := q.passing(node); going && strings.Contains(cause.Summary, "taint") {
		return []Cause{cause.seen(evidenceOf(obstacles)...)}
	}
	causes := make([]Cause, len(obstacles))
	for i, obstacle := range obstacles {
		causes[i] = Cause{Kind: kindOf[obstacle.Kind], Summary: obstacle.Text, Next: afterObstacle(obstacle)}
		causes[i] = causes[i].seen("the DaemonSet does not count the node as one that should have a Pod")
		if why := cluster.Excluded(node); why != "" {
			causes[i] = causes[i].seen("the node is " + why)
		}
	}
	return causes
}

var kindOf = map[judge.ObstacleKind]Kind{
	judge.OtherNode: NodeName, judge.OtherLabels: Selector, judge.OtherAffinity: Affinity, judge.UntoleratedTaint: Taint,
}

func afterObstacle(obstacle judge.Obstacle) string {
	switch obstacle.Kind {
	case judge.UntoleratedTaint:
		return afterTaint(obstacle.Taint)
	case judge.OtherNode:
		return "Take nodeName out of the template, unless the DaemonSet is meant for that node alone."
	default:
		return "If the node is meant to be covered, one of the two is wrong: correct the DaemonSet's selector, or the node's label. If it is not, take it off the roster."
	}
}

// afterTaint never asks for more than one key with one effect: a toleration of
// everything takes an agent to nodes where nobody meant it to be.
func afterTaint(taint corev1.Taint) string {
	if strings.HasPrefix(taint.Key, "node.kubernetes.io/") {
		return "Kubernetes sets this taint by the node's condition: mend the node rather than tolerate it."
	}
	operator := "operator: Exists"
	if taint.Value != "" {
		operator = "operator: Equal, value: " + taint.Value
	}
	return fmt.Sprintf("If the DaemonSet belongs on nodes with this taint, tolerate just this one: {key: %s, %s, effect: %s}. If it does not, take the node off the roster. Look at the other causes first: a toleration mends none of them.", taint.Key, operator, taint.Effect)
}

// refused is about Pods that the API server does not let the controller create.
func (q inquiry) refused() (Cause, bool) {
	failures := q.warnings(q.daemonSet.UID, "FailedCreate")
	if len(failures) == 0 {
		return Cause{}, false
	}
	last := failures[0]
	c := Cause{Kind: AdmissionRejected, Evidence: []string{last.String()}}
	switch {
	case strings.Contains(last.message, "exceeded quota"):
		c.Kind, c.Summary = QuotaExceeded, "a ResourceQuota of the namespace leaves no room for its Pod"
		c.Next = "Raise the quota to what one Pod for each node needs, or lower the Pod's requests."
	case strings.Contains(last.message, "violates PodSecurity"):
		c.Summary = "Pod Security admission rejects its Pod"
		c.Next = "Change what the event names, or move the DaemonSet to a namespace that enforces a level which allows it."
	default:
		c.Summary = "the API server rejects its Pod"
		c.Next = "The event says who rejects it: a webhook, a policy, a LimitRange, or a ServiceAccount or priority class that is not there."
	}
	return c, true
}

// unexplained is about a node that should have a Pod and has none.
func (q inquiry) unexplained(node *corev1.Node) Cause {
	c := Cause{
		Kind: NoPod, Summary: "the DaemonSet belongs there and has no Pod for the node, and nothing that was read says why",
		Next: "Read the Events of the DaemonSet and the log of kube-controller-manager: is one leading? If it fails to reconcile, a change of the node's labels makes it look again.",
	}
	if seen, now := q.daemonSet.Status.ObservedGeneration, q.daemonSet.Generation; seen < now {
		c = c.seen(fmt.Sprintf("the controller has seen generation %d of the DaemonSet, which is at %d", seen, now))
	}
	for _, event := range q.warnings(q.daemonSet.UID)[:min(2, len(q.warnings(q.daemonSet.UID)))] {
		c = c.seen(event.String())
	}
	return c.seen("the node was created at " + stamp(node.CreationTimestamp.Time))
}

// several is about more than one Pod on a node.
func (q inquiry) several(pods []Pod) []Cause {
	bound := slices.DeleteFunc(slices.Clone(pods), func(p Pod) bool { return p.Node == "" })
	if len(bound) < 2 {
		return nil
	}
	live := slices.DeleteFunc(slices.Clone(bound), func(p Pod) bool { return !isLive(p) })
	c := Cause{Summary: fmt.Sprintf("the node has %d Pods", len(bound))}
	for _, pod := range bound {
		c = c.seen(q.describe(pod))
	}
	switch {
	case len(live) < 2:
		c = c.legal(Terminating, "Nothing, while the old one's grace period lasts.")
		c.Summary += ", of which at most one is to stay"
	case len(live) == 2 && surges(q.daemonSet) && revisionOf(live[0]) != revisionOf(live[1]):
		c = c.legal(Surge, "Nothing, while the rollout goes on: the old Pod goes when the new one is available.")
		c.Summary += ", the old and the new one of a rollout with maxSurge"
	default:
		c.Kind = Duplicate
		c.Next = "No rollout explains it. Delete the Pods that are too many, and look for a second controller that makes Pods with this owner."
	}
	return []Cause{c}
}

func (q inquiry) describe(pod Pod) string {
	words := []string{"Pod " + pod.Name, string(pod.Phase)}
	if pod.Terminating {
		words = append(words, "terminating")
	}
	if pod.Ready {
		words = append(words, "Ready")
	}
	if hash := revisionOf(pod); hash != "" {
		words = append(words, "version "+hash)
		if hash == q.newestRevision(q.daemonSet.UID) {
			words = append(words, "the newest")
		}
	}
	return strings.Join(words, ", ")
}

func revisionOf(pod Pod) string {
	if pod.Revision == nil {
		return ""
	}
	return *pod.Revision
}

// ills is about Pods that are not Ready.
func (q inquiry) ills(pods []Pod) []Cause {
	var causes []Cause
	for _, pod := range pods {
		if pod.sick == nil {
			continue
		}
		for _, cause := range pod.sick.causes {
			causes = append(causes, q.inTime(pod, q.withEvents(pod, cause)))
		}
	}
	return causes
}

// inTime tells what passes by itself from what has taken too long.
func (q inquiry) inTime(pod Pod, cause Cause) Cause {
	switch cause.Kind {
	case Terminating:
		if late := q.At.Sub(pod.sick.leave); late > overdueAfter {
			cause.Kind, cause.Legal = Overdue, false
			cause.Summary = fmt.Sprintf("its Pod is terminating and should have been gone %s ago", late.Round(time.Second))
			cause.Next = "Its kubelet does not end it, or a finalizer holds it: look at the node first. A forced deletion only hides that."
		}
	case Unschedulable, NotStarted, NotReady:
		age := q.At.Sub(pod.sick.created)
		if age < limit.PodReady.For && !pod.sick.created.IsZero() && !told(cause) {
			cause = cause.legal(Starting, fmt.Sprintf("Audit again when the Pod is %s old.", limit.PodReady.For))
			cause = cause.seen("the Pod was created at " + stamp(pod.sick.created))
		}
	}
	return cause
}

// told reports whether somebody has already said that it will not work: the
// scheduler, or the kubelet in an event.
func told(cause Cause) bool {
	return cause.Kind == Unschedulable && strings.Contains(cause.Summary, corev1.PodReasonUnschedulable) ||
		cause.Kind == NotStarted && (strings.Contains(cause.Summary, "Error") || slices.ContainsFunc(cause.Evidence, func(e string) bool { return strings.HasPrefix(e, "event ") }))
}

// revealing names the warnings that say more than the Pod does.
var revealing = map[Kind][]string{
	ImagePull:   {"Failed"},
	InitFailing: {"Failed", "BackOff"},
	CrashLoop:   {"Unhealthy", "BackOff"},
	NotStarted:  {"FailedMount", "FailedAttachVolume", "FailedCreatePodSandBox", "NetworkNotReady", "Failed"},
	NotReady:    {"Unhealthy"},
	PodFailed:   {"Evicted", "OutOfcpu", "OutOfmemory", "OutOfpods", "NodeAffinity", "UnexpectedAdmissionError", "FailedDaemonPod"},
}

// withEvents adds the newest warning that says more.
func (q inquiry) withEvents(pod Pod, cause Cause) Cause {
	if len(revealing[cause.Kind]) == 0 {
		return cause
	}
	for _, event := range q.warnings(pod.UID, revealing[cause.Kind]...) {
		if repeats := slices.Contains(noImage, strings.TrimPrefix(event.message, "Error: ")); !repeats {
			return cause.seen(event.String())
		}
	}
	return cause
}
