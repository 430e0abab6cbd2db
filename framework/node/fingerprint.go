package node

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// Fingerprint is everything about a node that rollcall may change, by the name
// of the change. What the control plane derives from a node's conditions is left
// out, since that follows the kubelet and not rollcall.
type Fingerprint map[string]string

// derived are the taints that follow a node's conditions. The one that follows
// a cordon is none of them: it must be gone when the cordon is.
var derived = map[string]bool{
	corev1.TaintNodeNotReady: true, corev1.TaintNodeUnreachable: true, corev1.TaintNodeMemoryPressure: true,
	corev1.TaintNodeDiskPressure: true, corev1.TaintNodePIDPressure: true, corev1.TaintNodeNetworkUnavailable: true,
}

// Take returns the fingerprint of a node.
func Take(node *corev1.Node) Fingerprint {
	print := Fingerprint{}
	for key, value := range node.Labels {
		print[Label(key, "").String()] = value
	}
	for key, value := range node.Annotations {
		if strings.HasPrefix(key, "rollcall.dev/") {
			print["annotation "+key] = value
		}
	}
	for _, taint := range node.Spec.Taints {
		if !derived[taint.Key] {
			print[Taint(taint).String()] = taint.Value
		}
	}
	if node.Spec.Unschedulable {
		print[Cordon().String()] = cordoned
	}
	return print
}

// Differences tells how a later fingerprint differs from this one, by the name
// of what differs.
func (f Fingerprint) Differences(later Fingerprint) map[string]string {
	differences := map[string]string{}
	for _, name := range slices.Concat(slices.Collect(maps.Keys(f)), slices.Collect(maps.Keys(later))) {
		before, had := f[name]
		after, has := later[name]
		switch {
		case had && !has:
			differences[name] = fmt.Sprintf("%s was %q and is gone", name, before)
		case has && !had:
			differences[name] = fmt.Sprintf("%s is there with %q and was not", name, after)
		case before != after:
			differences[name] = fmt.Sprintf("%s was %q and is %q", name, before, after)
		}
	}
	return differences
}
