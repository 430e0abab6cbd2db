package scene

import (
	"maps"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"rollcall.dev/rollcall/framework/judge"
)

// NeedsWholeRoster tells that the spec claims something of all nodes, so that a
// change of any of them casts doubt on what it finds. Otherwise only those matter
// that its DaemonSets and Pods have to do with.
func (s *Scene) NeedsWholeRoster() { s.whole = true }

// concern is what makes a node matter to a spec. Most of it is read from the
// history, which tells of a DaemonSet also how it was before an update gave it
// other nodes.
type concern struct {
	// whole says that all nodes matter.
	whole bool
	// named are the nodes that a Pod was bound to or aimed at, and those that the
	// spec may act on.
	named map[string]bool
	// seeking are the Pod specs that look for nodes: those of DaemonSets, and of
	// Pods that never got a node, which any node that suits them may have caused.
	seeking []corev1.PodSpec
	// seen are the nodes as they were in the course of time, by name.
	seen map[string][]*corev1.Node
}

func (s *Scene) concern() concern {
	c := concern{whole: s.whole, named: map[string]bool{}, seeking: slices.Clone(s.asked), seen: map[string][]*corev1.Node{}}
	for name := range s.nodes {
		c.named[name] = true
	}
	unbound := map[types.UID]corev1.PodSpec{}
	for _, change := range s.History.Changes() {
		switch object := change.Object.(type) {
		case *corev1.Node:
			c.seen[object.Name] = append(c.seen[object.Name], object)
		case *appsv1.DaemonSet:
			c.seeking = append(c.seeking, object.Spec.Template.Spec)
		case *corev1.Pod:
			c.named[judge.TargetNode(object)] = true
			unbound[object.UID] = object.Spec
			if object.Spec.NodeName != "" {
				delete(unbound, object.UID)
			}
		}
	}
	c.seeking = slices.AppendSeq(c.seeking, maps.Values(unbound))
	return c
}

// includes reports whether a node that the history knows matters: one that was
// never eligible changes no answer of the oracle.
func (c concern) includes(name string) bool {
	return c.whole || c.named[name] || slices.ContainsFunc(c.seen[name], func(node *corev1.Node) bool {
		return slices.ContainsFunc(c.seeking, func(pod corev1.PodSpec) bool {
			eligible, _ := judge.Eligible(pod, node)
			return eligible
		})
	})
}

// mayInclude reports whether a machine that is not included may matter all the same:
// only its name is known, because it left before the history began.
func (s *Scene) mayInclude(c concern, name string) bool {
	return slices.ContainsFunc(c.seeking, func(pod corev1.PodSpec) bool {
		return judge.MayBeEligible(pod, name) && !s.keepsToOwn(pod)
	})
}

// keepsToOwn reports whether a selector lets a Pod onto nothing but simulated
// nodes of this spec, whose labels no other machine ever had.
func (s *Scene) keepsToOwn(pod corev1.PodSpec) bool {
	pool, pooled := pod.NodeSelector[PoolLabel]
	return pooled && pool == s.Namespace || s.simulated(pod.NodeSelector[corev1.LabelHostname])
}
