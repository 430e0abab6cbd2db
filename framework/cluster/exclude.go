package cluster

import corev1 "k8s.io/api/core/v1"

// foreignLabels mark nodes that are no machine with a kubelet: no DaemonSet Pod
// can ever be Ready there.
var foreignLabels = []struct{ key, value, reason string }{
	{"type", "virtual-kubelet", "a virtual kubelet (type=virtual-kubelet)"},
	{"eks.amazonaws.com/compute-type", "fargate", "Fargate (eks.amazonaws.com/compute-type=fargate)"},
}

// transientTaints mark nodes that are about to leave or not yet there. Their
// Pods come and go with the machine.
var transientTaints = map[string]string{
	"ToBeDeletedByClusterAutoscaler":                 "leaving: the cluster autoscaler removes it (taint ToBeDeletedByClusterAutoscaler)",
	"karpenter.sh/disrupted":                         "leaving: Karpenter removes it (taint karpenter.sh/disrupted)",
	"node.cloudprovider.kubernetes.io/uninitialized": "joining: its cloud provider has not set it up (taint node.cloudprovider.kubernetes.io/uninitialized)",
	"node.cloudprovider.kubernetes.io/shutdown":      "leaving: its machine is shut down (taint node.cloudprovider.kubernetes.io/shutdown)",
}

// Excluded returns why a node cannot be on the roster, and nothing if it can.
func Excluded(node *corev1.Node) string {
	if node.DeletionTimestamp != nil {
		return "leaving: the Node object is being deleted"
	}
	if system := node.Labels[corev1.LabelOSStable]; system != "" && system != "linux" {
		return "not Linux (" + corev1.LabelOSStable + "=" + system + ")"
	}
	for _, foreign := range foreignLabels {
		if node.Labels[foreign.key] == foreign.value {
			return foreign.reason
		}
	}
	if _, simulated := node.Labels[SimulatedLabel]; simulated {
		return "a simulated node of rollcall (" + SimulatedLabel + ")"
	}
	for _, taint := range node.Spec.Taints {
		if reason := transientTaints[taint.Key]; reason != "" {
			return reason
		}
	}
	return ""
}
