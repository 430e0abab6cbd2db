package outages

import (
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
)

// Where the documentation speaks of nodes that go and come back.
const (
	heartbeats = "concepts/architecture/nodes/#condition"
	evictions  = "concepts/scheduling-eviction/taint-and-toleration/#taint-based-evictions"
	daemons    = "concepts/workloads/controllers/daemonset/#taints-and-tolerations"
	forced     = "tasks/run-application/force-delete-stateful-set-pod/#delete-pods"
	removal    = "concepts/architecture/nodes/#node-name-uniqueness"
)

// What implements the promises, below k8s.io/kubernetes.
const (
	lifecycle = "pkg/controller/nodelifecycle/node_lifecycle_controller.go monitorNodeHealth"
	taintKill = "pkg/controller/tainteviction/taint_eviction.go"
	manage    = "pkg/controller/daemon/daemon_controller.go manage"
	collector = "pkg/controller/podgc/gc_controller.go gcOrphaned"
)

const lookAtControl = "Read the log of kube-controller-manager, and on the node that the evidence names that of the kubelet ('journalctl -u kubelet')."

// Area is what Kubernetes promises about a real node that goes and comes back.
var Area = requirement.Area{
	Name:  "outages",
	Title: "A real node that falls silent, or is replaced, and comes back",
	Requirements: []requirement.Requirement{
		outage("OUT-01", heartbeats, lifecycle, limit.Silence,
			"A node whose kubelet falls silent gets Ready=Unknown and the taint unreachable, with NoSchedule and with NoExecute."),
		outage("OUT-02", daemons, taintKill, limit.Silence,
			"The DaemonSet's Pod of a node that is unreachable is not evicted; an ordinary Pod beside it is, when the seconds that it tolerates are over."),
		outage("OUT-03", forced, manage, limit.Silence,
			"A Pod that is deleted on an unreachable node stays Terminating, and its DaemonSet makes no other one until the node is back."),
		outage("OUT-04", evictions, lifecycle, limit.Return,
			"When the kubelet is back the taints go, the DaemonSet's Pod is Ready again as the same Pod without a restart, and the deleted one is replaced."),
		last(outage("OUT-05", removal, collector, limit.Return,
			"A node that is deleted and soon created again under its name, with another UID, keeps its Pods and gets those of new DaemonSets.")),
	},
}

func outage(id, doc, source string, within limit.Limit, statement string) requirement.Requirement {
	return requirement.Requirement{
		ID: id, Doc: doc, Source: source, Statement: statement, Remedy: lookAtControl,
		Level: requirement.Outage, Needs: []requirement.Capability{requirement.LentNode}, Limit: within.For,
	}
}

func last(r requirement.Requirement) requirement.Requirement {
	r.Last = true
	return r
}
