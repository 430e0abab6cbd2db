package updates

import (
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/requirement"
)

// Where the documentation speaks of updates.
const (
	update     = "tasks/manage-daemon/update-daemon-set/"
	template   = update + "#updating-a-daemonset-template"
	strategies = update + "#daemonset-update-strategy"
	watching   = update + "#watching-the-rolling-update-status"
	broken     = update + "#broken-rollout"
	skewed     = update + "#clock-skew"
	rollback   = "tasks/manage-daemon/rollback-daemon-set/"
	undoing    = rollback + "#performing-a-rollback-on-a-daemonset"
	remembers  = rollback + "#understanding-daemonset-revisions"
	api        = "reference/kubernetes-api/apps/daemon-set-v1/#DaemonSetSpec"
	commands   = "reference/kubectl/generated/kubectl_rollout/"
)

// The code that keeps the promises.
const (
	rolls    = "pkg/controller/daemon/update.go rollingUpdate"
	counts   = "pkg/controller/daemon/util/daemonset_util.go UnavailableCount, SurgeCount"
	records  = "pkg/controller/daemon/update.go constructHistory, snapshot, dedupCurHistories"
	forgets  = "pkg/controller/daemon/update.go cleanupHistory"
	manages  = "pkg/controller/daemon/daemon_controller.go podsShouldBeOnNode, syncNodes"
	validate = "pkg/apis/apps/validation/validation.go ValidateRollingUpdateDaemonSet, ValidateDaemonSetUpdateStrategy"
	helpers  = "k8s.io/kubectl/pkg/polymorphichelpers/"
)

// What an operator should look at.
const (
	lookAtServer     = "The API server validates this itself: look for a webhook that changes DaemonSets before it does, or an API server that is not stock Kubernetes."
	lookAtController = "Read the log of kube-controller-manager and see that just one leads; look for other controllers, webhooks and descheduling tools that delete Pods."
	lookAtBudget     = "See who deleted the Pods, in the audit log: if it was the DaemonSet controller, compare its version; otherwise stop whoever it was."
	lookAtPods       = "Look at the new Pods that are not available: their Events, the image on the node, the kubelet's log."
	lookAtKubectl    = "Compare the versions of kubectl and API server: only one minor version apart is supported."
)

// simulation is what a node of rollcall's own needs.
var simulation = []requirement.Capability{requirement.NodeObjects}

// start is how long a DaemonSet may take to be there before its update.
var start = limit.PodReady.For

// Area is how a DaemonSet is updated and rolled back.
var Area = requirement.Area{
	Name:  "updates",
	Title: "Rolling updates and rollbacks: how many at a time, in which order, and what is remembered",
	Requirements: []requirement.Requirement{
		{
			ID:        "UPD-01",
			Statement: "A DaemonSet that says nothing else is updated by RollingUpdate with maxUnavailable 1 and maxSurge 0, keeps 10 old revisions, and takes a Ready Pod for available at once.",
			Doc:       api,
			Source:    "pkg/apis/apps/v1/defaults.go SetDefaults_DaemonSet",
			Since:     "1.25",
			Level:     requirement.API,
			Limit:     limit.Namespace.For,
			Remedy:    lookAtServer,
		},
		{
			ID:        "UPD-02",
			Statement: "Either maxUnavailable or maxSurge is more than zero and not both, neither is negative or above 100%, and no other strategy than RollingUpdate and OnDelete exists.",
			Doc:       api,
			Source:    validate,
			Since:     "1.25",
			Level:     requirement.API,
			Limit:     limit.Namespace.For,
			Remedy:    lookAtServer,
			Note:      "maxSurge alone is not enough: maxUnavailable is 1 unless it is set to 0. A budget beside OnDelete is accepted and unused.",
		},
		{
			ID:        "UPD-03",
			Statement: "A percentage for maxUnavailable or maxSurge is taken of the nodes that should run the Pod and rounded up.",
			Doc:       api,
			Source:    counts,
			Since:     "1.25",
			Level:     requirement.Namespace,
			Needs:     []requirement.Capability{requirement.TwoNodes},
			Limit:     limit.InTurn.For,
			Remedy:    lookAtController,
			Note:      "A Deployment rounds maxUnavailable down. Without rounding up, small clusters would not be updated at all.",
		},
		{
			ID:        "UPD-04",
			Statement: "At no instant of a rolling update are more nodes without an available Pod because of it than maxUnavailable allows.",
			Doc:       strategies,
			Source:    rolls + "; " + counts,
			Level:     requirement.Namespace,
			Needs:     []requirement.Capability{requirement.TwoNodes},
			Limit:     start + limit.InTurn.For,
			Remedy:    lookAtBudget,
			Note:      "A terminating Pod is not available. Each node is without the service from then until its new Pod is Ready, and faults of other kinds come on top.",
		},
		{
			ID:        "UPD-05",
			Statement: "Old Pods that are not available are replaced at once, however many they are, and they use up the budget for those that are.",
			Doc:       broken,
			Source:    rolls,
			Level:     requirement.Namespace,
			Needs:     []requirement.Capability{requirement.TwoNodes},
			Limit:     start + limit.Restart.For + limit.Placement.For + limit.InTurn.For,
			Remedy:    lookAtController,
			Note:      "The page says that a new rollout is not blocked by earlier unhealthy ones; that Pods which broke by themselves do not wait for the budget either is the release's.",
		},
		{
			ID:        "UPD-06",
			Statement: "Without surge, a node's old Pod has ended before its new one is created.",
			Doc:       strategies,
			Source:    manages + ", getNodesToDaemonPods",
			Level:     requirement.Namespace,
			Needs:     []requirement.Capability{requirement.TwoNodes},
			Limit:     start + limit.Rollout.For,
			Remedy:    lookAtController,
			Note:      "Ended is not gone: the new Pod may be created when the old one's containers have all ended and its object is still there, as with a finalizer.",
		},
		{
			ID:         "UPD-07",
			Statement:  "With maxSurge, a node's new Pod is created beside the old one, which goes when the new one is available: every node has an available Pod throughout, and at most maxSurge nodes wait for a second one.",
			Doc:        api,
			Source:     rolls + "; " + manages,
			Since:      "1.25",
			Level:      requirement.Namespace,
			Needs:      []requirement.Capability{requirement.TwoNodes},
			Limit:      start + limit.InTurn.For,
			Remedy:     lookAtBudget,
			Note:       "The page on updates still says that at most one Pod of the DaemonSet runs on each node during the whole update: that is so without surge. The next node may get its second Pod just before the last one's old Pod is told to go.",
			Deviations: []requirement.Deviation{forgottenSurge},
		},
		{
			ID:         "UPD-08",
			Statement:  "A new Pod counts as available, and the update goes on, only when it has been Ready for minReadySeconds.",
			Doc:        skewed,
			Source:     rolls,
			Level:      requirement.Namespace,
			Needs:      []requirement.Capability{requirement.TwoNodes},
			Limit:      start + limit.InTurn.For,
			Remedy:     "Compare the clocks of nodes and control plane: the node writes since when a Pod is Ready, and the controller compares that with its own clock.",
			Note:       "Judged by the instants in the Pods' own conditions, with a second's tolerance for clocks. If the clock of the machine that runs rollcall is more than 1 s off the API server's, the verdict is inconclusive.",
			Deviations: []requirement.Deviation{forgottenSurge},
		},
		{
			ID:        "UPD-09",
			Statement: "A version whose Pods never become available stops at the budget: all other nodes keep their old Pods, and another such version after it breaks no further node.",
			Doc:       broken,
			Source:    rolls,
			Level:     requirement.Namespace,
			Needs:     []requirement.Capability{requirement.TwoNodes},
			Limit:     start + 3*limit.PodReady.For + 3*quiet + stuck,
			Remedy:    lookAtBudget,
			Note:      "Watched for 20 seconds, which holds a retry after back-off of a program that ends at once. With neither a readiness probe nor minReadySeconds such a program is Ready from its start until the kubelet knows of its end, and the update may go on.",
		},
		{
			ID:        "UPD-10",
			Statement: "'kubectl rollout undo' brings back the previous template; Pods that are still of that template are neither replaced nor restarted, and its revision gets the highest number.",
			Doc:       undoing,
			Source:    helpers + "rollback.go DaemonSetRollbacker; " + records,
			Level:     requirement.Namespace,
			Needs:     []requirement.Capability{requirement.TwoNodes},
			Limit:     start + limit.PodReady.For + limit.InTurn.For,
			Remedy:    lookAtController,
			Note:      "The command returns at once; the rollback itself is an update like any other.",
		},
		{
			ID:        "UPD-11",
			Statement: "An update in the middle of another one takes over: all nodes end with the newest version, and the budget holds throughout.",
			Doc:       template,
			Source:    rolls,
			Level:     requirement.Namespace,
			Needs:     []requirement.Capability{requirement.TwoNodes},
			Limit:     start + limit.PodReady.For + limit.InTurn.For,
			Remedy:    lookAtBudget,
			Note:      "The page says that any change of the template starts an update, and that earlier unhealthy ones do not block it; that the budget spans them is the release's.",
		},
		{
			ID:        "UPD-12",
			Statement: "A rollback in the middle of an update with surge deletes the new Pods and keeps all the old ones.",
			Doc:       undoing,
			Source:    rolls,
			Since:     "1.25",
			Level:     requirement.Namespace,
			Needs:     []requirement.Capability{requirement.TwoNodes},
			Limit:     start + limit.PodReady.For + limit.InTurn.For,
			Remedy:    lookAtController,
		},
		{
			ID:        "UPD-13",
			Statement: "A DaemonSet with maxSurge whose Pods hold a port of their node is accepted, and its update does not get on: the new Pod waits for the port of the old one, which waits for it.",
			Doc:       "concepts/scheduling-eviction/kube-scheduler/",
			Source:    rolls + "; pkg/scheduler/framework/plugins/nodeports",
			Since:     "1.25",
			Level:     requirement.Namespace,
			Needs:     []requirement.Capability{requirement.HostNetwork},
			Limit:     start + limit.PodReady.For + limit.Status.For,
			Remedy:    "Use maxUnavailable for DaemonSets with hostPort or hostNetwork.",
			Note:      "Known and open: https://github.com/kubernetes/kubernetes/issues/106417.",
		},
		{
			ID:        "UPD-14",
			Statement: "With OnDelete an update deletes no Pod; each Pod that somebody deletes comes back in the new version, and 'kubectl rollout status' refuses to follow.",
			Doc:       strategies,
			Source:    "pkg/controller/daemon/daemon_controller.go updateDaemonSet; " + helpers + "rollout_status.go",
			Level:     requirement.Namespace,
			Needs:     []requirement.Capability{requirement.TwoNodes},
			Limit:     start + 2*limit.PodReady.For + limit.Status.For,
			Remedy:    lookAtController,
		},
		{
			ID:        "UPD-15",
			Statement: "Each template has one ControllerRevision, which the DaemonSet owns, which holds the template as a patch, whose number is higher than those before it and whose hash its Pods carry; other changes make none.",
			Doc:       remembers,
			Source:    records,
			Level:     requirement.Namespace,
			Needs:     []requirement.Capability{requirement.TwoNodes},
			Limit:     3*limit.Placement.For + 2*limit.Status.For,
			Remedy:    lookAtController,
		},
		{
			ID:        "UPD-16",
			Statement: "Of the ControllerRevisions that are not current, a DaemonSet keeps the newest, as many as revisionHistoryLimit says; those of Pods that are still there are spared even beyond the limit.",
			Doc:       api,
			Source:    forgets,
			Level:     requirement.Namespace,
			Limit:     5*limit.Placement.For + 3*limit.Status.For,
			Remedy:    lookAtController,
			Note:      "Revisions in use count towards the limit: with a limit of 1 and one in use, no other old one is kept.",
		},
		{
			ID:        "UPD-17",
			Statement: "'kubectl rollout status' tells, in this order, that it waits for the spec to be observed, how many new Pods there are, how many of them are available, and that all is rolled out, which is when each node has its new Pod available.",
			Doc:       watching,
			Source:    helpers + "rollout_status.go DaemonSetStatusViewer",
			Level:     requirement.Namespace,
			Needs:     []requirement.Capability{requirement.TwoNodes},
			Limit:     start + limit.InTurn.For,
			Remedy:    lookAtKubectl,
			Note:      "It goes by the DaemonSet's own numbers, from which nodes that are tainted or not Ready are missing: it does not prove coverage. kubectl's code is run on each change of the DaemonSet; its exit codes are not checked.",
		},
		{
			ID:        "UPD-18",
			Statement: "A DaemonSet's update cannot be paused: 'kubectl rollout pause' says so, and the API has no field for it.",
			Doc:       commands + "kubectl_rollout_pause/",
			Source:    helpers + "objectpauser.go",
			Level:     requirement.API,
			Limit:     limit.Namespace.For,
			Remedy:    "Switch the strategy to OnDelete to stop an update, see UPD-20.",
		},
		{
			ID:        "UPD-19",
			Statement: "'kubectl rollout restart' annotates the template, and all Pods are replaced within the budget.",
			Doc:       commands + "kubectl_rollout_restart/",
			Source:    helpers + "objectrestarter.go",
			Level:     requirement.Namespace,
			Needs:     []requirement.Capability{requirement.TwoNodes},
			Limit:     start + limit.InTurn.For,
			Remedy:    lookAtController,
		},
		{
			ID:        "UPD-20",
			Statement: "A switch to OnDelete in the middle of an update stops it, and a switch back to RollingUpdate lets it go on.",
			Doc:       strategies,
			Source:    "pkg/controller/daemon/daemon_controller.go updateDaemonSet",
			Level:     requirement.Namespace,
			Needs:     []requirement.Capability{requirement.TwoNodes},
			Limit:     start + limit.PodReady.For + limit.Status.For + limit.InTurn.For,
			Remedy:    lookAtController,
			Note:      "Not spelled out by the page; it follows from what the two strategies promise. A Pod that was already told to go still goes, and is replaced by one of the new version.",
		},
		{
			ID:        "UPD-21",
			Statement: "A node that cannot be reached holds up an update with maxUnavailable 1: its Pod is told to go and does not end. The update goes on when the node is back, when that Pod is deleted by force, or when more Pods may be unavailable.",
			Doc:       api,
			Source:    rolls + "; " + manages + ", getNodesToDaemonPods",
			Level:     requirement.Simulated,
			Needs:     simulation,
			Limit:     start + limit.Silence.For + limit.Placement.For + quiet + 2*limit.InTurn.For,
			Remedy:    "Bring the node back or delete its Node object; delete the Pod by force if its machine is surely off; or allow more unavailable Pods.",
			Note:      "Not spelled out; it follows from what the API says of maxUnavailable. A comment in the source has it that deleted Pods do not count as unavailable, so that updates get on when nodes are down: one that has not ended does count. An unreachable node without a Pod does not, since no DaemonSet needs one there. So when the node is back and its old Pod ends before its taint has gone, the update takes another node a moment before this one has its new Pod.",
		},
		{
			ID:        "UPD-22",
			Statement: "A node that joins during an update gets a Pod of the new version at once.",
			Doc:       strategies,
			Source:    manages,
			Level:     requirement.Simulated,
			Needs:     simulation,
			Limit:     start + 2*limit.Placement.For + limit.Status.For + limit.InTurn.For,
			Remedy:    lookAtController,
			Note:      "Watched in the middle of an update that stands still at its budget. Not spelled out by the page: new Pods are made from the newest template.",
		},
		{
			ID:        "UPD-23",
			Statement: "Any change of the template starts an update, one of its labels or annotations too.",
			Doc:       template,
			Source:    records,
			Level:     requirement.Namespace,
			Needs:     []requirement.Capability{requirement.TwoNodes},
			Limit:     3 * limit.Placement.For,
			Remedy:    lookAtController,
		},
		{
			ID:        "UPD-24",
			Statement: "Applying the same template again, or changing what is not in spec, changes no generation, makes no revision and replaces no Pod.",
			Doc:       template,
			Source:    "pkg/registry/apps/daemonset/strategy.go PrepareForUpdate; " + records,
			Level:     requirement.Namespace,
			Needs:     []requirement.Capability{requirement.TwoNodes},
			Limit:     start + quiet,
			Remedy:    "Look for a webhook or controller that writes a new value into the template each time.",
		},
		{
			ID:        "UPD-25",
			Statement: "An old Pod that is slow to end holds up its own node and counts against the budget; the update goes on when it has ended.",
			Doc:       strategies,
			Source:    rolls + "; " + manages + ", getNodesToDaemonPods",
			Level:     requirement.Namespace,
			Needs:     []requirement.Capability{requirement.TwoNodes},
			Limit:     start + limit.InTurn.For,
			Remedy:    lookAtPods,
			Note:      "A finalizer alone holds up nothing: once the containers have ended, the new Pod is made although the old one's object is still there.",
		},
	},
}
