package audit

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"
)

func tolerates(tolerations ...corev1.Toleration) func(*appsv1.DaemonSet) {
	return func(d *appsv1.DaemonSet) { d.Spec.Template.Spec.Tolerations = tolerations }
}

func hostPort(d *appsv1.DaemonSet) {
	d.Spec.Template.Spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 9100, HostPort: 9100}}
}

func onDelete(d *appsv1.DaemonSet) {
	d.Spec.UpdateStrategy.Type = appsv1.OnDeleteDaemonSetStrategyType
}

func important(d *appsv1.DaemonSet) { d.Spec.Template.Spec.PriorityClassName = "important" }

func TestRisks(t *testing.T) {
	forAMinute := corev1.Toleration{Key: "own", Operator: "Exists", Effect: "NoExecute", TolerationSeconds: ptr.To(int64(60))}
	overwritten := corev1.Toleration{Key: corev1.TaintNodeNotReady, Operator: "Exists", Effect: "NoExecute", TolerationSeconds: ptr.To(int64(60))}
	full := unscheduledFor("0/1 nodes are available: 1 Insufficient cpu.")
	for name, c := range map[string]struct {
		daemonSet *appsv1.DaemonSet
		pods      []*corev1.Pod
		newest    string
		want      RiskKind
	}{
		"nothing":                           {aDaemonSet(), nil, "", ""},
		"toleration for a minute":           {aDaemonSet(tolerates(forAMinute)), nil, "", EvictLoop},
		"toleration for ever":               {aDaemonSet(tolerates(corev1.Toleration{Key: "own", Operator: "Exists", Effect: "NoExecute"})), nil, "", ""},
		"toleration that is overwritten":    {aDaemonSet(tolerates(overwritten)), nil, "", ""},
		"host port with surge":              {aDaemonSet(hostPort, rolling("0", "1")), nil, "", SurgePort},
		"host port with surge in percent":   {aDaemonSet(hostPort, rolling("0", "10%")), nil, "", SurgePort},
		"host port without surge":           {aDaemonSet(hostPort, rolling("1", "0")), nil, "", ""},
		"surge without host port":           {aDaemonSet(rolling("0", "1")), nil, "", ""},
		"all unavailable":                   {aDaemonSet(rolling("100%", "0")), nil, "", AllUnavailable},
		"all unavailable by number":         {aDaemonSet(rolling("3", "0")), nil, "", AllUnavailable},
		"most unavailable, which rounds up": {aDaemonSet(rolling("67%", "0")), nil, "", AllUnavailable},
		"half unavailable":                  {aDaemonSet(rolling("50%", "0")), nil, "", ""},
		"OnDelete with old Pods":            {aDaemonSet(onDelete), []*corev1.Pod{aPod("p", "a"), aPod("q", "b", version("v2"))}, "v2", Drifted},
		"OnDelete with new Pods":            {aDaemonSet(onDelete), []*corev1.Pod{aPod("q", "b", version("v2"))}, "v2", ""},
		"OnDelete, by the status": {aDaemonSet(onDelete, func(d *appsv1.DaemonSet) { d.Status.CurrentNumberScheduled, d.Status.UpdatedNumberScheduled = 3, 1 }),
			[]*corev1.Pod{aPod("p", "a")}, "", Drifted},
		"old Pods in a rollout":           {aDaemonSet(), []*corev1.Pod{aPod("p", "a")}, "v2", ""},
		"full node without priority":      {aDaemonSet(), []*corev1.Pod{aPod("p", "", aimed("a"), full)}, "", NoPriority},
		"full node with priority":         {aDaemonSet(important), []*corev1.Pod{aPod("p", "", aimed("a"), full)}, "", ""},
		"pending for another reason":      {aDaemonSet(), []*corev1.Pod{aPod("p", "", aimed("a"), unscheduledFor("no free ports"))}, "", ""},
		"tolerates everything":            {aDaemonSet(tolerates(corev1.Toleration{Operator: "Exists"})), nil, "", BlanketToleration},
		"tolerates everything of a kind":  {aDaemonSet(tolerates(corev1.Toleration{Key: "own", Operator: "Exists"})), nil, "", ""},
		"tolerates all that is NoExecute": {aDaemonSet(tolerates(corev1.Toleration{Operator: "Exists", Effect: "NoExecute"})), nil, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			var pods []Pod
			for _, pod := range c.pods {
				pods = append(pods, reduce(pod))
			}
			found := risks(c.daemonSet, pods, c.newest)
			switch {
			case c.want == "" && len(found) > 0:
				t.Errorf("found %+v", found)
			case c.want != "" && (len(found) != 1 || found[0].Kind != c.want):
				t.Errorf("found %+v, want %s", found, c.want)
			}
		})
	}
}
