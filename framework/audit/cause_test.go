package audit

import (
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"
)

// withInit gives a Pod an init container in a state.
func withInit(status corev1.ContainerStatus, changes ...func(*corev1.Container)) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		container := corev1.Container{Name: "prepare", Image: "prepare:1"}
		for _, change := range changes {
			change(&container)
		}
		status.Name = "prepare"
		p.Spec.InitContainers = []corev1.Container{container}
		p.Status.InitContainerStatuses = []corev1.ContainerStatus{status}
		p.Status.Conditions[0].Status = corev1.ConditionFalse
		p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "agent", State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "PodInitializing"}}}}
	}
}

func sidecar(c *corev1.Container) { c.RestartPolicy = ptr.To(corev1.ContainerRestartPolicyAlways) }

func probes(change func(*corev1.Container)) func(*corev1.Pod) {
	return func(p *corev1.Pod) { change(&p.Spec.Containers[0]) }
}

var healthz = &corev1.Probe{ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: "/healthz", Port: intstr.FromInt32(8080)}}}

func readinessProbe(c *corev1.Container) { c.ReadinessProbe = healthz }
func startupProbe(c *corev1.Container)   { c.StartupProbe = healthz }

// Each case is a snapshot of a roster of the node a and the causes that are to be
// told, in order: the kind, in brackets where the state is legal, and words of
// what is said.
func TestCauses(t *testing.T) {
	type told struct {
		kind  string
		words []string
	}
	one := func(kind string, words ...string) []told { return []told{{kind, words}} }
	plain, surging := aDaemonSet(), aDaemonSet(rolling("0", "1"))
	newest := &appsv1.ControllerRevision{ObjectMeta: metav1.ObjectMeta{
		Labels: map[string]string{appsv1.ControllerRevisionHashLabelKey: "v2"}, OwnerReferences: []metav1.OwnerReference{{UID: "uid-agent", Controller: ptr.To(true)}},
	}, Revision: 2}
	pick := func(key, value string) func(*appsv1.DaemonSet) {
		return func(d *appsv1.DaemonSet) {
			d.Spec.Template.Spec.NodeSelector = map[string]string{key: value}
		}
	}
	for name, c := range map[string]struct {
		snapshot *Snapshot
		want     []told
	}{
		"covered":                 {aSnapshot(plain, aNode("a"), aPod("p", "a")), nil},
		"cordoned and covered":    {aSnapshot(plain, aNode("a", tainted(corev1.TaintNodeUnschedulable, "", "NoSchedule")), aPod("p", "a")), nil},
		"cordoned without a Pod":  {aSnapshot(plain, aNode("a", tainted(corev1.TaintNodeUnschedulable, "", "NoSchedule"))), one("no-pod")},
		"node gone":               {aSnapshot(plain), one("node-gone", "uid-a")},
		"node replaced":           {aSnapshot(plain, aNode("a", func(n *corev1.Node) { n.UID = "new" }), aPod("p", "a")), one("node-replaced", "uid-a", "new")},
		"node silent, Pod Ready":  {aSnapshot(plain, aNode("a", silentNode), aPod("p", "a")), one("node-not-ready", "Kubelet stopped")},
		"node silent, Pod is not": {aSnapshot(plain, aNode("a", silentNode), aPod("p", "a", notReady(running()))), one("node-not-ready")},
		"node new and not Ready":  {aSnapshot(plain, aNode("a", silentNode, newNode)), one("(joining)", "joining")},
		"node new without a Pod":  {aSnapshot(plain, aNode("a", newNode)), one("(joining)")},
		"node being set up":       {aSnapshot(plain, aNode("a", tainted("node.cloudprovider.kubernetes.io/uninitialized", "", "NoSchedule"))), one("(joining)", "uninitialized")},
		"node being removed":      {aSnapshot(plain, aNode("a", silentNode, tainted("ToBeDeletedByClusterAutoscaler", "", "NoSchedule"))), one("(leaving)", "autoscaler")},

		"taint":                   {aSnapshot(plain, aNode("a", tainted("own", "gpu", "NoSchedule"))), one("taint", "own=gpu:NoSchedule", "{key: own, operator: Equal, value: gpu, effect: NoSchedule}")},
		"taint without a value":   {aSnapshot(plain, aNode("a", tainted("own", "", "NoExecute"))), one("taint", "{key: own, operator: Exists, effect: NoExecute}")},
		"taint of Kubernetes":     {aSnapshot(plain, aNode("a", tainted(corev1.TaintNodeNetworkUnavailable, "", "NoSchedule"))), one("taint", "mend the node rather than tolerate it")},
		"taint that is tolerated": {aSnapshot(plain, aNode("a", tainted(corev1.TaintNodeDiskPressure, "", "NoSchedule")), aPod("p", "a")), nil},
		"soft taint":              {aSnapshot(plain, aNode("a", tainted("own", "", "PreferNoSchedule")), aPod("p", "a")), nil},
		"selector":                {aSnapshot(aDaemonSet(pick("disk", "sdd")), aNode("a", labelled("disk", "ssd"))), one("selector", "disk=sdd", "disk=ssd")},
		"selector and taint":      {aSnapshot(aDaemonSet(pick("disk", "sdd")), aNode("a", tainted("own", "", "NoSchedule"))), []told{{"selector", nil}, {"taint", nil}}},
		"template names a node":   {aSnapshot(aDaemonSet(func(d *appsv1.DaemonSet) { d.Spec.Template.Spec.NodeName = "b" }), aNode("a")), one("node-name", "names node b")},
		"taint that came later":   {aSnapshot(plain, aNode("a", tainted("own", "", "NoSchedule")), aPod("p", "a")), nil},
		"evicted by a taint":      {aSnapshot(plain, aNode("a", tainted("own", "", "NoExecute")), aPod("p", "a", leaving(time.Minute))), []told{{"taint", nil}, {"(terminating)", nil}}},

		"rejected by Pod Security": {aSnapshot(plain, aNode("a"), warning("uid-agent", "DaemonSet", "FailedCreate", `pods "agent-x" is forbidden: violates PodSecurity "restricted:latest"`)), one("admission-rejected", "Pod Security", "restricted:latest")},
		"rejected by a webhook":    {aSnapshot(plain, aNode("a"), warning("uid-agent", "DaemonSet", "FailedCreate", `admission webhook "x" denied the request`)), one("admission-rejected", "webhook")},
		"quota":                    {aSnapshot(plain, aNode("a"), warning("uid-agent", "DaemonSet", "FailedCreate", "exceeded quota: pods")), one("quota")},
		"rejected before, covered": {aSnapshot(plain, aNode("a"), aPod("p", "a"), warning("uid-agent", "DaemonSet", "FailedCreate", "exceeded quota: pods")), nil},
		"rejected elsewhere":       {aSnapshot(plain, aNode("a"), warning("uid-other", "DaemonSet", "FailedCreate", "exceeded quota: pods")), one("no-pod")},
		"controller behind": {aSnapshot(aDaemonSet(func(d *appsv1.DaemonSet) { d.Generation = 2 }), aNode("a")),
			one("no-pod", "generation 1", "at 2")},

		"full node": {aSnapshot(plain, aNode("a"), aPod("p", "", aimed("a"), unscheduledFor("0/9 nodes are available: 1 Insufficient cpu, 8 node(s) didn't satisfy plugin(s) [NodeAffinity]. preemption: none"))),
			one("unschedulable", "Pending: Unschedulable: 1 Insufficient cpu", "no priorityClassName")},
		"full node, with priority": {aSnapshot(plain, aNode("a"), aPod("p", "", aimed("a"), unscheduledFor("0/1 nodes are available: 1 Insufficient memory."), func(p *corev1.Pod) { p.Spec.PriorityClassName = "high" })),
			one("unschedulable", "Lower the Pod's requests")},
		"port taken":           {aSnapshot(plain, aNode("a"), aPod("p", "", aimed("a"), unscheduledFor("0/1 nodes are available: 1 node(s) didn't have free ports for the requested pod ports."))), one("unschedulable", "hostPort")},
		"no scheduler":         {aSnapshot(plain, aNode("a"), aPod("p", "", aimed("a"), func(p *corev1.Pod) { p.Spec.SchedulerName = "mine" })), one("unschedulable", "no scheduler", "mine")},
		"scheduled in a jiffy": {aSnapshot(plain, aNode("a"), aPod("p", "", aimed("a"), young)), one("(starting)")},
		"full node at once":    {aSnapshot(plain, aNode("a"), aPod("p", "", aimed("a"), young, unscheduledFor("0/1 nodes are available: 1 Insufficient cpu."))), one("unschedulable")},

		"image pull":             {aSnapshot(plain, aNode("a"), aPod("p", "a", notReady(waiting("ImagePullBackOff", "not found")))), one("image-pull", "agent:1", "not found", "registry")},
		"image of init":          {aSnapshot(plain, aNode("a"), aPod("p", "a", withInit(waiting("ErrImagePull", "")))), one("image-pull", "prepare:1")},
		"init fails":             {aSnapshot(plain, aNode("a"), aPod("p", "a", withInit(ended(7, 4)))), one("init-failing", "prepare", "exit code 7", "4 restarts")},
		"init runs":              {aSnapshot(plain, aNode("a"), aPod("p", "a", withInit(running()))), one("not-started", "prepare is still running")},
		"init runs, young":       {aSnapshot(plain, aNode("a"), aPod("p", "a", young, withInit(running()))), one("(starting)")},
		"init fails, young":      {aSnapshot(plain, aNode("a"), aPod("p", "a", young, withInit(ended(7, 1)))), one("init-failing")},
		"sidecar fails":          {aSnapshot(plain, aNode("a"), aPod("p", "a", withInit(ended(2, 9), sidecar))), one("crash-loop", "prepare", "exit code 2")},
		"crash loop":             {aSnapshot(plain, aNode("a"), aPod("p", "a", notReady(ended(3, 5)))), one("crash-loop", "exit code 3", "5 restarts", "roll back")},
		"ends without an error":  {aSnapshot(plain, aNode("a"), aPod("p", "a", notReady(ended(0, 5)))), one("crash-loop", "without an error")},
		"container not started":  {aSnapshot(plain, aNode("a"), aPod("p", "a", notReady(waiting("ContainerCreating", ""))), warning("uid-p", "Pod", "FailedMount", "secret not found")), one("not-started", "secret not found")},
		"being created, young":   {aSnapshot(plain, aNode("a"), aPod("p", "a", young, notReady(waiting("ContainerCreating", "")))), one("(starting)")},
		"config missing, young":  {aSnapshot(plain, aNode("a"), aPod("p", "a", young, notReady(waiting("CreateContainerConfigError", "no configmap")))), one("not-started", "no configmap")},
		"readiness probe":        {aSnapshot(plain, aNode("a"), aPod("p", "a", notReady(running()), probes(readinessProbe)), warning("uid-p", "Pod", "Unhealthy", "HTTP probe failed with 503")), one("not-ready", "readinessProbe", "/healthz port 8080", "503")},
		"startup probe":          {aSnapshot(plain, aNode("a"), aPod("p", "a", notReady(corev1.ContainerStatus{Started: ptr.To(false), State: running().State}), probes(startupProbe))), one("not-ready", "startupProbe")},
		"readiness probe, young": {aSnapshot(plain, aNode("a"), aPod("p", "a", young, notReady(running()), probes(readinessProbe))), one("(starting)")},
		"readiness gate": {aSnapshot(plain, aNode("a"), aPod("p", "a", func(p *corev1.Pod) {
			p.Status.Conditions[0].Status = corev1.ConditionFalse
			p.Spec.ReadinessGates = []corev1.PodReadinessGate{{ConditionType: "example.com/network"}}
		})), one("not-ready", "readinessGate example.com/network", "no condition")},
		"condition Ready": {aSnapshot(plain, aNode("a"), aPod("p", "a", func(p *corev1.Pod) {
			p.Status.Conditions[0].Status, p.Status.Conditions[0].Reason = "False", "NodeLost"
		})), one("not-ready", "NodeLost")},
		"not admitted": {aSnapshot(plain, aNode("a"), aPod("p", "a", func(p *corev1.Pod) {
			p.Status = corev1.PodStatus{Phase: corev1.PodFailed, Reason: "OutOfcpu", Message: "Node didn't have enough resource"}
		})), one("pod-failed", "OutOfcpu")},

		"terminating":             {aSnapshot(plain, aNode("a"), aPod("p", "a", leaving(20*time.Second))), one("(terminating)")},
		"terminating, overdue":    {aSnapshot(plain, aNode("a"), aPod("p", "a", leaving(-10*time.Minute), func(p *corev1.Pod) { p.Finalizers = []string{"example.com/hold"} })), one("terminating-overdue", "10m0s ago", "example.com/hold")},
		"old one goes":            {aSnapshot(plain, aNode("a"), aPod("p", "a", leaving(20*time.Second)), aPod("q", "a")), []told{{"(terminating)", []string{"2 Pods"}}, {"(terminating)", nil}}},
		"surge":                   {aSnapshot(surging, aNode("a"), newest, aPod("p", "a"), aPod("q", "a", version("v2"))), one("(surge)", "version v2, the newest")},
		"surge that cannot start": {aSnapshot(surging, aNode("a"), newest, aPod("p", "a"), aPod("q", "a", version("v2"), notReady(ended(1, 3)))), []told{{"(surge)", nil}, {"crash-loop", nil}}},
		"two without surge":       {aSnapshot(plain, aNode("a"), aPod("p", "a"), aPod("q", "a", version("v2"))), one("duplicate")},
		"two of one version":      {aSnapshot(surging, aNode("a"), aPod("p", "a"), aPod("q", "a")), one("duplicate")},
		"off the roster":          {aSnapshot(plain, aNode("a"), aPod("p", "a"), aNode("b"), aPod("q", "b")), one("off-roster", "belongs there")},
		"off the roster, barred":  {aSnapshot(plain, aNode("a"), aPod("p", "a"), aNode("b", tainted("own", "", "NoSchedule")), aPod("q", "b")), one("off-roster", "does not belong")},
		"for a node that is gone": {aSnapshot(plain, aNode("a"), aPod("p", "a"), aPod("q", "b")), one("off-roster", "does not exist")},
	} {
		t.Run(name, func(t *testing.T) {
			a := audited(t, c.snapshot, rosterOf("a"))
			if len(a.Causes) != len(c.want) {
				t.Fatalf("%d causes, want %d: %+v", len(a.Causes), len(c.want), a.Causes)
			}
			for i, cause := range a.Causes {
				kind := string(cause.Kind)
				if cause.Legal {
					kind = "(" + kind + ")"
				}
				text := strings.Join(append([]string{cause.Summary, cause.Next}, cause.Evidence...), "\n")
				if kind != c.want[i].kind {
					t.Errorf("cause %d is %s, want %s: %s", i, kind, c.want[i].kind, text)
				}
				for _, word := range c.want[i].words {
					if !strings.Contains(text, word) {
						t.Errorf("cause %s lacks %q:\n%s", kind, word, text)
					}
				}
				if cause.Next == "" {
					t.Errorf("cause %s has no next step", kind)
				}
			}
		})
	}
}
