package audit

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Risk is something about a DaemonSet that works until it does not.
type Risk struct {
	Kind RiskKind `json:"risk"`
	Text string   `json:"text"`
	Next string   `json:"next"`
}

// RiskKind names a risk.
type RiskKind string

// The risks that an audit points out.
const (
	EvictLoop         RiskKind = "evict-loop"
	SurgePort         RiskKind = "host-port-with-surge"
	AllUnavailable    RiskKind = "all-unavailable"
	Drifted           RiskKind = "drifted-pods"
	NoPriority        RiskKind = "no-priority"
	BlanketToleration RiskKind = "blanket-toleration"
)

// risks reads a DaemonSet's spec, and its Pods where they decide.
func risks(daemonSet *appsv1.DaemonSet, pods []Pod, newest string) []Risk {
	found := []Risk{}
	for _, check := range []func() (Risk, bool){
		func() (Risk, bool) { return evictLoop(daemonSet) },
		func() (Risk, bool) { return surgePort(daemonSet) },
		func() (Risk, bool) { return allUnavailable(daemonSet) },
		func() (Risk, bool) { return drifted(daemonSet, pods, newest) },
		func() (Risk, bool) { return noPriority(daemonSet, pods) },
		func() (Risk, bool) { return blanket(daemonSet) },
	} {
		if risk, ok := check(); ok {
			found = append(found, risk)
		}
	}
	return found
}

// evictLoop: the controller counts a tolerated taint as tolerated for ever. When
// the seconds are over, the Pod is evicted, and made again at once.
func evictLoop(daemonSet *appsv1.DaemonSet) (Risk, bool) {
	for _, t := range daemonSet.Spec.Template.Spec.Tolerations {
		if t.TolerationSeconds == nil || t.Effect != corev1.TaintEffectNoExecute && t.Effect != "" || foreverAnyway(t) {
			continue
		}
		return Risk{EvictLoop,
			fmt.Sprintf("the toleration of %s has tolerationSeconds %d: on a node with such a taint a Pod is evicted after that time and made anew, again and again", describeToleration(t), *t.TolerationSeconds),
			"Leave tolerationSeconds out, or do not tolerate the taint.",
		}, true
	}
	return Risk{}, false
}

// foreverAnyway reports whether the controller adds a toleration without a limit
// in time for the same taint.
func foreverAnyway(t corev1.Toleration) bool {
	return t.Key == corev1.TaintNodeNotReady || t.Key == corev1.TaintNodeUnreachable
}

func describeToleration(t corev1.Toleration) string {
	key, effect := t.Key, string(t.Effect)
	if key == "" {
		key = "every key"
	}
	if effect == "" {
		effect = "every effect"
	}
	return key + ":" + effect
}

// surgePort: two Pods of a node cannot hold the same port.
func surgePort(daemonSet *appsv1.DaemonSet) (Risk, bool) {
	if !surges(daemonSet) {
		return Risk{}, false
	}
	spec := daemonSet.Spec.Template.Spec
	for _, container := range append(spec.InitContainers[:len(spec.InitContainers):len(spec.InitContainers)], spec.Containers...) {
		for _, port := range container.Ports {
			if port.HostPort != 0 || spec.HostNetwork {
				return Risk{SurgePort,
					fmt.Sprintf("container %s holds port %d of the node, and maxSurge asks for a second Pod beside it: that one stays Pending, and the rollout never ends", container.Name, max(port.HostPort, port.ContainerPort)),
					"Roll out with maxUnavailable instead of maxSurge, or give up the port of the node.",
				}, true
			}
		}
	}
	return Risk{}, false
}

// surges reports whether a rollout makes the new Pod before the old one goes.
func surges(daemonSet *appsv1.DaemonSet) bool {
	return budget(daemonSet, func(r *appsv1.RollingUpdateDaemonSet) *intstr.IntOrString { return r.MaxSurge }, 0, 100) > 0
}

// budget resolves a budget of a rolling update for so many nodes, rounded up as
// documented; other strategies have none.
func budget(daemonSet *appsv1.DaemonSet, which func(*appsv1.RollingUpdateDaemonSet) *intstr.IntOrString, unset, nodes int) int {
	strategy := daemonSet.Spec.UpdateStrategy
	if strategy.Type == appsv1.OnDeleteDaemonSetStrategyType {
		return 0
	}
	if strategy.RollingUpdate == nil || which(strategy.RollingUpdate) == nil {
		return unset
	}
	n, err := intstr.GetScaledValueFromIntOrPercent(which(strategy.RollingUpdate), nodes, true)
	if err != nil {
		return unset
	}
	return n
}

// maxUnavailable is 1 unless the strategy says otherwise, and never less where
// there is no surge.
func maxUnavailable(daemonSet *appsv1.DaemonSet, nodes int) int {
	return budget(daemonSet, func(r *appsv1.RollingUpdateDaemonSet) *intstr.IntOrString { return r.MaxUnavailable }, 1, nodes)
}

func maxSurge(daemonSet *appsv1.DaemonSet, nodes int) int {
	return budget(daemonSet, func(r *appsv1.RollingUpdateDaemonSet) *intstr.IntOrString { return r.MaxSurge }, 0, nodes)
}

// allUnavailable: one bad version takes every node at a time.
func allUnavailable(daemonSet *appsv1.DaemonSet) (Risk, bool) {
	nodes := int(daemonSet.Status.DesiredNumberScheduled)
	if nodes < 2 || maxUnavailable(daemonSet, nodes) < nodes {
		return Risk{}, false
	}
	return Risk{AllUnavailable,
		fmt.Sprintf("maxUnavailable lets a rollout take the Pods of all %d nodes at a time: one bad version leaves no node covered", nodes),
		"Set maxUnavailable to 1, or to as few as the time for a rollout allows.",
	}, true
}

// drifted: with OnDelete old Pods stay as long as nobody deletes them.
func drifted(daemonSet *appsv1.DaemonSet, pods []Pod, newest string) (Risk, bool) {
	if daemonSet.Spec.UpdateStrategy.Type != appsv1.OnDeleteDaemonSetStrategyType {
		return Risk{}, false
	}
	old := 0
	for _, pod := range pods {
		if newest != "" && revisionOf(pod) != newest {
			old++
		}
	}
	if newest == "" && daemonSet.Status.ObservedGeneration == daemonSet.Generation {
		old = int(daemonSet.Status.CurrentNumberScheduled - daemonSet.Status.UpdatedNumberScheduled)
	}
	if old <= 0 {
		return Risk{}, false
	}
	return Risk{Drifted,
		fmt.Sprintf("the update strategy is OnDelete, and %s of an older version", plural(old, "Pod is", "Pods are")),
		"Delete them, a few nodes at a time, to bring them to the newest version.",
	}, true
}

// noPriority: on a full node nothing makes room for a Pod without priority.
func noPriority(daemonSet *appsv1.DaemonSet, pods []Pod) (Risk, bool) {
	if daemonSet.Spec.Template.Spec.PriorityClassName != "" {
		return Risk{}, false
	}
	waiting := 0
	for _, pod := range pods {
		if pod.sick != nil && !pod.sick.priority && isFull(pod.sick.causes) {
			waiting++
		}
	}
	if waiting == 0 {
		return Risk{}, false
	}
	return Risk{NoPriority,
		fmt.Sprintf("%s for room on a full node, and the template has no priorityClassName", plural(waiting, "Pod waits", "Pods wait")),
		"Give the DaemonSet a priority class that fits its importance; it takes the place of less important Pods then. It creates no capacity.",
	}, true
}

// blanket: it follows the agent to nodes that nobody has thought of yet.
func blanket(daemonSet *appsv1.DaemonSet) (Risk, bool) {
	for _, t := range daemonSet.Spec.Template.Spec.Tolerations {
		if t.Key == "" && t.Operator == corev1.TolerationOpExists && t.Effect == "" {
			return Risk{BlanketToleration,
				"the template tolerates every taint, so it also goes to nodes that are being set up, taken out, or kept for something else",
				"Name the taints that it has to live with.",
			}, true
		}
	}
	return Risk{}, false
}
