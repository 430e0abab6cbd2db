package report

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"rollcall.dev/rollcall/framework/requirement"
)

var began = time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)

func later(seconds float64) time.Time {
	return began.Add(time.Duration(seconds * float64(time.Second)))
}

func stampAt(seconds float64) metav1.Time { return metav1.NewTime(later(seconds)) }

func header(took float64) ConformanceReport {
	finished := stampAt(took)
	return ConformanceReport{
		APIVersion: APIVersion,
		Kind:       Kind,
		Run:        Run{ID: "r7k2m", Version: "v0.1.0", Level: requirement.Namespace, Started: stampAt(0), Finished: &finished},
		Cluster: Cluster{
			Server: "https://127.0.0.1:6443", Context: "kind-rollcall", UID: "5a3c", Version: "v1.37.2",
			Nodes: []Node{
				{Name: "rollcall-control-plane", UID: "n0", Version: "v1.37.2", Ready: true, Excluded: "taint node-role.kubernetes.io/control-plane:NoSchedule"},
				{Name: "rollcall-worker", UID: "n1", Version: "v1.37.2", Ready: true},
				{Name: "rollcall-worker2", UID: "n2", Version: "v1.37.2", Ready: true, Lent: true},
				{Name: "rollcall-worker3", UID: "n3", Version: "v1.37.2", Ready: true},
			},
		},
	}
}

// allGreen is the report of a run on which everything passed.
func allGreen() *ConformanceReport {
	r := header(48)
	for i, statement := range []string{
		"Every eligible node runs exactly one Pod of a DaemonSet.",
		"A DaemonSet's Pod is bound to its node by node affinity, and by the default scheduler.",
		"A deleted Pod comes back on the same node.",
	} {
		id := []string{"COV-01", "COV-02", "COV-03"}[i]
		r.Results = append(r.Results, passed(id, "coverage", statement, float64(i)*7, 6.5+float64(i)*3))
	}
	r.Results = append(r.Results, passed("TOL-01", "tolerations", "Every Pod tolerates disk pressure.", 30, 2.25))
	r.Conclude()
	return &r
}

func passed(id, area, statement string, from, seconds float64) Result {
	return Result{
		ID: id, Area: area, Level: requirement.Namespace, Statement: statement, Required: true,
		Doc: requirement.Docs + "concepts/workloads/controllers/daemonset/", Verdict: Passed,
		Remedy: "Look at the log of kube-controller-manager.", Seconds: seconds,
		Specs: []Spec{{
			Text: "shows that " + id + " holds", Verdict: Passed, Started: stampAt(from), Seconds: seconds,
			Evidence: []string{"3 of 3 nodes of the roster run one Pod: rollcall-worker, rollcall-worker2, rollcall-worker3"},
		}},
	}
}

// everyVerdict is a report with every verdict in it, and with content that a
// writer has to escape.
func everyVerdict() *ConformanceReport {
	r := header(134)
	r.Cluster.Warnings = []string{"node rollcall-worker3 runs a kubelet one minor version behind"}
	r.Results = []Result{
		passed("COV-01", "coverage", "Every eligible node runs exactly one Pod of a DaemonSet.", 0, 12.4),
		lost(),
		notPromised(),
		tooFar("NODE-01", "Cordon keeps DaemonSet Pods where they are."),
		tooFar("NODE-02", "A NoExecute taint evicts what does not tolerate it."),
		broken("UPD-04", "At most maxUnavailable Pods are unavailable at any instant."),
		broken("UPD-05", "maxUnavailable as a percentage is rounded up."),
		waived(),
	}
	r.Conclude()
	return &r
}

func lost() Result {
	result := passed("COV-03", "coverage", "A deleted Pod comes back on the same node.", 13, 8)
	result.Verdict = Unknown
	result.Reason = "the watch on Pods had a gap of 3.1s"
	result.Specs[0].Verdict = Unknown
	result.Specs[0].Message = "the history is not complete: Pods were not followed from 12:00:15 to 12:00:18"
	return result
}

func notPromised() Result {
	return Result{
		ID: "COV-34", Area: "coverage", Level: requirement.API, Doc: "concepts/workloads/controllers/daemonset/",
		Statement: "A DaemonSet's status names the collisions of its hashes.",
		Verdict:   Skipped, Reason: "v1.37 does not promise it",
	}
}

func tooFar(id, statement string) Result {
	return Result{
		ID: id, Area: "nodes", Level: requirement.Node, Doc: "concepts/architecture/nodes/", Statement: statement,
		Required: true, Verdict: Skipped, Reason: "it needs level node, and this run may reach namespace",
	}
}

func waived() Result {
	result := passed("INI-09", "initcontainers", "An init container's restart counts as a restart of the Pod.", 100, 21.75)
	result.Verdict, result.Specs[0].Verdict = Waived, Failed
	result.Reason = "a known deviation of v1.36 and v1.37: https://github.com/kubernetes/kubernetes/issues/1"
	result.Specs[0].Message = "expected restart count 1, saw 0"
	return result
}

// broken is one spec that checks two requirements, and breaks both.
func broken(id, statement string) Result {
	return Result{
		ID: id, Area: "updates", Level: requirement.Namespace, Statement: statement, Required: true,
		Doc: "tasks/manage-daemon/update-daemon-set/", Verdict: Failed, Seconds: 61.2,
		Remedy: "Compare the DaemonSet controller's version with the API server's, and look for a webhook that deletes Pods.",
		Specs: []Spec{{
			Text: "replaces at most maxUnavailable Pods at a time", Verdict: Failed, Started: stampAt(22), Seconds: 61.2,
			Message: "Expected at most 1 unavailable Pod, but there were 2 at 12:00:36.4:\n" +
				"\x1b[31m  12:00:34.1  rollcall-worker   agent-6xk9p  deleted\x1b[0m\n" +
				"> 12:00:36.4  rollcall-worker2  agent-m2v7q  ready -> not ready\n" +
				"  12:00:39.0  rollcall-worker   agent-b4n8w  ready\n\n" +
				"<script>alert(\"Pods & ]]> nodes\")</script>",
			Evidence: []string{"2 of 3 Pods unavailable for 2.6s", "maxUnavailable: 1"},
			Timeline: rollout(),
		}},
	}
}

func rollout() *Timeline {
	t := &Timeline{
		From: later(22), To: later(52),
		Marks: []Moment{
			{later(23), "create DaemonSet agent (v1), maxUnavailable 1"},
			{later(32), "update agent to v2"},
			{later(32.2), "delete Pod <agent-x>"},
		},
		Violations: []Violation{
			{later(39.4), "rollcall-worker3", "agent-p0c1z", "3 Pods are unavailable, and at most 1 may be"},
			{later(36.4), "rollcall-worker2", "agent-m2v7q", "2 Pods are unavailable, and at most 1 may be"},
		},
	}
	t.life("rollcall-worker", "agent-6xk9p", "v1", 23, 24, 26, 34.1, 37)
	t.life("rollcall-worker", "agent-b4n8w", "v2", 37, 38, 39, 52, 52)
	t.life("rollcall-worker2", "agent-m2v7q", "v1", 23.1, 24.5, 26.4, 36.4, 41)
	t.life("rollcall-worker2", "agent-t9d3s", "v2", 39, 42, 44.5, 52, 52)
	t.life("rollcall-worker3", "agent-p0c1z", "v1", 23.2, 25, 27, 39.4, 45.2)
	t.life("rollcall-worker3", "agent-h7j5k", "v2", 45.2, 46, 48.8, 52, 52)
	t.bar("", "agent-waits", "v2", "pending", 45, 52)
	t.bar("rollcall-a-very-long-node-name-7f9c", "check", "", "finished", 24, 30)
	return t
}

// life adds the bars of a Pod that was created, ran, was ready, was deleted and
// was gone at these seconds.
func (t *Timeline) life(node, pod, version string, created, ran, ready, deleted, gone float64) {
	t.bar(node, pod, version, "pending", created, ran)
	t.bar(node, pod, version, "running", ran, ready)
	t.bar(node, pod, version, "ready", ready, deleted)
	if gone > deleted {
		t.bar(node, pod, version, "terminating", deleted, gone)
	}
}

func (t *Timeline) bar(node, pod, version, state string, from, to float64) {
	t.Bars = append(t.Bars, Bar{Node: node, Pod: pod, Version: version, State: state, From: later(from), To: later(to)})
}
