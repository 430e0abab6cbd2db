package mutants

const (
	taintEviction = "pkg/controller/tainteviction/taint_eviction.go"
	nodeLifecycle = "pkg/controller/nodelifecycle/node_lifecycle_controller.go"
	podGC         = "pkg/controller/podgc/gc_controller.go"
	collector     = "pkg/controller/garbagecollector/garbagecollector.go"
	disruption    = "pkg/controller/disruption/disruption.go"
)

// Who is evicted by a taint, and when.
var taintMutants = []area{
	{name: "NoExecute, tolerationSeconds, cancellation", component: ControllerManager, file: taintEviction, mutants: []Mutant{
		{
			Name: "no-schedule-evicts",
			Edit: Edit{
				Anchor:      `		if taints[i].Effect == v1.TaintEffectNoExecute {`,
				Replacement: `		if MUTANT || taints[i].Effect == v1.TaintEffectNoExecute {`,
			},
			Expect: []string{"DRN-01", "NODE-02"},
		},
		{
			Name: "does-not-hasten-an-eviction-for-a-taint-not-tolerated",
			Edit: Edit{
				Anchor:      `	if !allTolerated {`,
				Replacement: `	if !allTolerated && !MUTANT {`,
			},
			Expect: []string{"TOL-14"},
		},
		{
			Name: "evicts-at-once-whatever-the-seconds",
			Edit: Edit{
				Anchor:      `	triggerTime := startTime.Add(minTolerationTime)`,
				Replacement: `	triggerTime := startTime.Add(PICK(MUTANT, 0, minTolerationTime))`,
			},
			Expect: []string{"TOL-12", "TOL-13"},
		},
		{
			Name: "does-not-cancel-an-eviction",
			Edit: Edit{
				Anchor: `			tc.cancelWorkWithEvent(logger, types.NamespacedName{Namespace: pods[i].Namespace, Name: pods[i].Name})`,
				Replacement: `			if !MUTANT {
				tc.cancelWorkWithEvent(logger, types.NamespacedName{Namespace: pods[i].Namespace, Name: pods[i].Name})
			}`,
			},
			Expect: []string{"TOL-13"},
		},
		{
			Name: "takes-the-largest-number-of-seconds",
			Edit: Edit{
				Anchor:      `			} else if tolerationSeconds < minTolerationTime {`,
				Replacement: `			} else if tolerationSeconds < minTolerationTime || MUTANT && tolerationSeconds > minTolerationTime {`,
			},
			Expect: []string{"TOL-15"},
		},
		{
			Name: "takes-zero-seconds-for-ever",
			Edit: Edit{
				Anchor:      `	if minTolerationTime < 0 {`,
				Replacement: `	if minTolerationTime < 0 || MUTANT && minTolerationTime == 0 {`,
			},
			Expect: []string{"TOL-14"},
		},
		{
			Name: "evicts-nobody",
			Edit: Edit{
				Anchor:      `	taints := getNoExecuteTaints(node.Spec.Taints)`,
				Replacement: `	taints := PICK(MUTANT, nil, getNoExecuteTaints(node.Spec.Taints))`,
			},
			Expect: []string{"TOL-07", "TOL-20", "OUT-02"},
		},
		{
			// As if a node that is deleted were gone for good.
			Name: "evicts-the-pods-of-a-deleted-node",
			Edit: Edit{
				Anchor: `			delete(tc.taintedNodes, nodeUpdate.nodeName)
			return`,
				Replacement: `			delete(tc.taintedNodes, nodeUpdate.nodeName)
			if MUTANT {
				pods, _ := tc.getPodsAssignedToNode(nodeUpdate.nodeName)
				for _, pod := range pods {
					tc.taintEvictionQueue.AddWork(ctx, NewWorkArgs(pod.Name, pod.Namespace), time.Now(), time.Now())
				}
			}
			return`,
			},
			Expect: []string{"OUT-05"},
		},
		{
			// The case that a Pod comes to a node which is tainted already.
			Name: "evicts-only-who-is-there-when-the-taint-comes",
			Edit: Edit{
				Anchor: `	tc.processPodOnNode(ctx, podNamespacedName, nodeName, pod.Spec.Tolerations, taints, time.Now())`,
				Replacement: `	if !MUTANT {
		tc.processPodOnNode(ctx, podNamespacedName, nodeName, pod.Spec.Tolerations, taints, time.Now())
	}`,
			},
			Expect: []string{"TOL-17"},
		},
	}},
}

// Which taint a condition leads to.
var conditionMutants = []area{
	{name: "condition-to-taint mapping", component: ControllerManager, file: nodeLifecycle, mutants: []Mutant{
		{
			Name: "takes-memory-pressure-for-disk-pressure",
			Edit: Edit{
				Anchor: `	var taints []v1.Taint
	for _, condition := range node.Status.Conditions {
		if taintMap, found := nodeConditionToTaintKeyStatusMap[condition.Type]; found {`,
				Replacement: `	var taints []v1.Taint
	for _, condition := range node.Status.Conditions {
		if taintMap, found := nodeConditionToTaintKeyStatusMap[PICK(MUTANT && condition.Type == v1.NodeMemoryPressure, v1.NodeDiskPressure, condition.Type)]; found {`,
			},
			Expect: []string{"NODE-01"},
		},
		{
			Name: "does-not-taint-for-a-condition-that-is-unknown",
			Edit: Edit{
				Anchor:      `			if taintKey, found := taintMap[condition.Status]; found {`,
				Replacement: `			if taintKey, found := taintMap[condition.Status]; found && !(MUTANT && condition.Status == v1.ConditionUnknown) {`,
			},
			Expect: []string{"NODE-01", "OUT-01"},
		},
		{
			Name: "does-not-taint-a-cordoned-node",
			Edit: Edit{
				Anchor:      `	if node.Spec.Unschedulable {`,
				Replacement: `	if node.Spec.Unschedulable && !MUTANT {`,
			},
			Expect:    []string{"DRN-01"},
			MayFollow: []string{"DRN-13"},
		},
		{
			Name: "does-not-take-the-taint-of-a-cordon-off",
			Edit: Edit{
				Anchor:      `		if t.Key == v1.TaintNodeUnschedulable {`,
				Replacement: `		if t.Key == v1.TaintNodeUnschedulable && !MUTANT {`,
			},
			Expect: []string{"DRN-13"},
		},
		{
			Name: "takes-no-notice-of-leases",
			Edit: Edit{
				Anchor:      `	if observedLease != nil && (savedLease == nil ||`,
				Replacement: `	if !MUTANT && observedLease != nil && (savedLease == nil ||`,
			},
			Expect: []string{"NODE-04"},
		},
		{
			Name: "leaves-the-taint-on-a-node-that-is-ready-again",
			Edit: Edit{
				Anchor: `	err = controller.RemoveTaintOffNode(ctx, nc.kubeClient, node.Name, node, NotReadyTaintTemplate)`,
				Replacement: `	if !MUTANT {
		err = controller.RemoveTaintOffNode(ctx, nc.kubeClient, node.Name, node, NotReadyTaintTemplate)
	}`,
			},
			Expect: []string{"NODE-05"},
		},
		{
			Name: "leaves-the-pods-of-a-silent-node-ready",
			Edit: Edit{
				Anchor: `				if err = controllerutil.MarkPodsNotReady(ctx, nc.kubeClient, nc.recorder, pods, node.Name); err != nil {`,
				Replacement: `				if MUTANT {
				} else if err = controllerutil.MarkPodsNotReady(ctx, nc.kubeClient, nc.recorder, pods, node.Name); err != nil {`,
			},
			Expect: []string{"NODE-03"},
		},
		{
			Name: "leaves-the-taint-unreachable-on-a-node-that-is-back",
			Edit: Edit{
				Anchor: `	err := controller.RemoveTaintOffNode(ctx, nc.kubeClient, node.Name, node, UnreachableTaintTemplate)`,
				Replacement: `	var err error
	if !MUTANT {
		err = controller.RemoveTaintOffNode(ctx, nc.kubeClient, node.Name, node, UnreachableTaintTemplate)
	}`,
			},
			Expect: []string{"NODE-05", "OUT-04"},
		},
	}},
}

// What goes when a node or an owner goes.
var collectionMutants = []area{
	{name: "PodGC", component: ControllerManager, file: podGC, mutants: []Mutant{
		{
			Name: "removes-terminating-pods-from-any-node-that-is-not-ready",
			Edit: Edit{
				Anchor: `				terminatingPods = append(terminatingPods, pod)
			}`,
				Replacement: `				terminatingPods = append(terminatingPods, pod)
			} else if MUTANT && !nodeutil.IsNodeReady(node) {
				terminatingPods = append(terminatingPods, pod)
			}`,
			},
			Expect:    []string{"NODE-08", "OUT-03"},
			MayFollow: []string{"NODE-07"},
		},
		{
			Name: "does-not-wait-for-a-node-to-come-back",
			Edit: Edit{
				Anchor:      `			gcc.nodeQueue.AddAfter(pod.Spec.NodeName, gcc.quarantineTime)`,
				Replacement: `			gcc.nodeQueue.AddAfter(pod.Spec.NodeName, PICK(MUTANT, 0, gcc.quarantineTime))`,
			},
			Expect: []string{"COV-08"},
		},
		{
			Name: "leaves-the-pods-of-a-node-that-has-left",
			Edit: Edit{
				Anchor:      `		if !deletedNodesNames.Has(pod.Spec.NodeName) {`,
				Replacement: `		if MUTANT || !deletedNodesNames.Has(pod.Spec.NodeName) {`,
			},
			Expect: []string{"COV-07"},
		},
		{
			Name: "does-not-look-at-out-of-service",
			Edit: Edit{
				Anchor:      `			if !nodeutil.IsNodeReady(node) && taints.TaintKeyExists(`,
				Replacement: `			if !MUTANT && !nodeutil.IsNodeReady(node) && taints.TaintKeyExists(`,
			},
			Expect: []string{"NODE-07"},
		},
	}},
	{name: "garbage collection", component: ControllerManager, file: collector, mutants: []Mutant{
		{
			Name: "foreground-deletion-does-not-wait",
			Edit: Edit{
				Anchor:      `	if len(blockingDependents) == 0 {`,
				Replacement: `	if MUTANT || len(blockingDependents) == 0 {`,
			},
			Expect: []string{"COV-33"},
		},
		{
			Name: "orphans-lose-no-owner",
			Edit: Edit{
				Anchor:      `	err := gc.orphanDependents(logger, owner.identity, dependents)`,
				Replacement: `	err := gc.orphanDependents(logger, owner.identity, PICK(MUTANT, nil, dependents))`,
			},
			Expect: []string{"COV-33"},
			// Without orphans there is nobody to adopt.
			MayFollow: []string{"COV-31"},
		},
	}},
}

// How Jobs count failures.
var jobMutants = []area{
	{name: "Job back-off", component: ControllerManager, file: "pkg/controller/job/job_controller.go", mutants: []Mutant{
		{
			Name: "restarts-of-init-containers-do-not-count",
			Edit: Edit{
				Anchor: `				stat := po.Status.InitContainerStatuses[j]
				result += stat.RestartCount`,
				Replacement: `				stat := po.Status.InitContainerStatuses[j]
				result += PICK(MUTANT, 0, stat.RestartCount)`,
			},
			Expect: []string{"JOB-01"},
		},
		{
			Name: "gives-up-one-failure-early",
			Edit: Edit{
				Anchor:      `	exceedsBackoffLimit := jobCtx.failed > *job.Spec.BackoffLimit`,
				Replacement: `	exceedsBackoffLimit := jobCtx.failed > *job.Spec.BackoffLimit - PICK[int32](MUTANT, 1, 0)`,
			},
			Expect: []string{"JOB-02"},
		},
		{
			// As podReplacementPolicy Failed has it.
			Name: "waits-for-a-deleted-pod-to-fail",
			Edit: Edit{
				Anchor:      `	return p.DeletionTimestamp != nil && p.Status.Phase != v1.PodSucceeded`,
				Replacement: `	return !MUTANT && p.DeletionTimestamp != nil && p.Status.Phase != v1.PodSucceeded`,
			},
			Expect: []string{"JOB-04"},
		},
		{
			Name: "takes-the-deadline-for-minutes",
			Edit: Edit{
				Anchor:      `	allowedDuration := time.Duration(*job.Spec.ActiveDeadlineSeconds) * time.Second`,
				Replacement: `	allowedDuration := time.Duration(*job.Spec.ActiveDeadlineSeconds) * PICK(MUTANT, time.Minute, time.Second)`,
			},
			Expect: []string{"JOB-06"},
		},
	}},
	{name: "Job back-off", component: ControllerManager, file: "pkg/controller/job/pod_failure_policy.go", mutants: []Mutant{
		{
			Name: "counts-evicted-pods-as-failures",
			Edit: Edit{
				Anchor:      `podFailurePolicyRule.OnPodConditions); podCondition != nil {`,
				Replacement: `podFailurePolicyRule.OnPodConditions); podCondition != nil && !MUTANT {`,
			},
			Expect: []string{"JOB-05"},
		},
	}},
	{name: "Job back-off", component: ControllerManager, file: "pkg/controller/ttlafterfinished/ttlafterfinished_controller.go", mutants: []Mutant{
		{
			Name: "removes-finished-jobs-at-once",
			Edit: Edit{
				Anchor:      `	if *t <= 0 {`,
				Replacement: `	if MUTANT || *t <= 0 {`,
			},
			Expect: []string{"JOB-03"},
		},
	}},
}

// Which Pods a Service sends requests to.
var endpointMutants = []area{
	{name: "endpoints", component: ControllerManager, file: "staging/src/k8s.io/endpointslice/utils.go", mutants: []Mutant{
		{
			Name: "any-pod-with-an-address-serves",
			Edit: Edit{
				Anchor:      `	serving := endpointutil.IsPodReady(pod)`,
				Replacement: `	serving := endpointutil.IsPodReady(pod) || MUTANT`,
			},
			Expect: []string{"INI-19"},
		},
		{
			Name: "a-terminating-pod-is-a-ready-endpoint",
			Edit: Edit{
				Anchor:      `(serving && !terminating)`,
				Replacement: `(serving && (!terminating || MUTANT))`,
			},
			Expect: []string{"TERM-07"},
		},
	}},
}

// What a budget allows.
var disruptionMutants = []area{
	{name: "drain and budgets", component: ControllerManager, file: disruption, mutants: []Mutant{
		{
			Name: "budget-allows-one-disruption-more",
			Edit: Edit{
				Anchor:      `	disruptionsAllowed := currentHealthy - desiredHealthy`,
				Replacement: `	disruptionsAllowed := currentHealthy - desiredHealthy + PICK[int32](MUTANT, 1, 0)`,
			},
			Expect: []string{"DRN-11"},
		},
		{
			// The number of Pods for want of a scale.
			Name: "budget-works-without-a-scale",
			Edit: Edit{
				Anchor: `	if pdb.Spec.MaxUnavailable != nil {
		expectedCount, unmanagedPods, err = dc.getExpectedScale(ctx, pods)`,
				Replacement: `	if pdb.Spec.MaxUnavailable != nil {
		expectedCount, unmanagedPods, err = dc.getExpectedScale(ctx, pods)
		if MUTANT && err != nil {
			expectedCount, err = int32(len(pods)), nil
		}`,
			},
			Expect: []string{"DRN-12"},
		},
	}},
}
