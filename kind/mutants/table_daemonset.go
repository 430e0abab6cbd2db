package mutants

const (
	daemonSetUtil       = "pkg/controller/daemon/util/daemonset_util.go"
	daemonSetController = "pkg/controller/daemon/daemon_controller.go"
	controllerRefs      = "pkg/controller/controller_ref_manager.go"
	controllerUtils     = "pkg/controller/controller_utils.go"
)

// How the DaemonSet controller makes Pods survive trouble with their node.
var tolerationMutants = []area{
	{name: "automatic tolerations", component: ControllerManager, file: daemonSetUtil, mutants: []Mutant{
		{
			Name: "forgets-disk-pressure-toleration",
			Edit: Edit{
				Anchor: `	v1helper.AddOrUpdateTolerationInPodSpec(spec, &v1.Toleration{
		Key:      v1.TaintNodeDiskPressure,
		Operator: v1.TolerationOpExists,
		Effect:   v1.TaintEffectNoSchedule,
	})`,
				Replacement: `	if !MUTANT {
		v1helper.AddOrUpdateTolerationInPodSpec(spec, &v1.Toleration{
			Key:      v1.TaintNodeDiskPressure,
			Operator: v1.TolerationOpExists,
			Effect:   v1.TaintEffectNoSchedule,
		})
	}`,
			},
			Expect: []string{"TOL-01"},
		},
		{
			// The effect of the taint's twin, which keeps new Pods away.
			Name: "not-ready-toleration-has-the-wrong-effect",
			Edit: Edit{
				Anchor: `		Key:      v1.TaintNodeNotReady,
		Operator: v1.TolerationOpExists,
		Effect:   v1.TaintEffectNoExecute,`,
				Replacement: `		Key:      v1.TaintNodeNotReady,
		Operator: v1.TolerationOpExists,
		Effect:   PICK(MUTANT, v1.TaintEffectNoSchedule, v1.TaintEffectNoExecute),`,
			},
			Expect: []string{"TOL-01", "TOL-05"},
		},
		{
			Name: "unreachable-toleration-is-copied-wrong",
			Edit: Edit{
				Anchor:      `		Key:      v1.TaintNodeUnreachable,`,
				Replacement: `		Key:      PICK(MUTANT, v1.TaintNodeNotReady, v1.TaintNodeUnreachable),`,
			},
			Expect: []string{"TOL-01", "TOL-05"},
		},
		{
			Name: "memory-pressure-toleration-has-the-wrong-effect",
			Edit: Edit{
				Anchor: `		Key:      v1.TaintNodeMemoryPressure,
		Operator: v1.TolerationOpExists,
		Effect:   v1.TaintEffectNoSchedule,`,
				Replacement: `		Key:      v1.TaintNodeMemoryPressure,
		Operator: v1.TolerationOpExists,
		Effect:   PICK(MUTANT, v1.TaintEffectNoExecute, v1.TaintEffectNoSchedule),`,
			},
			Expect: []string{"TOL-01"},
		},
		{
			Name: "pid-pressure-toleration-is-copied-wrong",
			Edit: Edit{
				Anchor:      `		Key:      v1.TaintNodePIDPressure,`,
				Replacement: `		Key:      PICK(MUTANT, v1.TaintNodeMemoryPressure, v1.TaintNodePIDPressure),`,
			},
			Expect: []string{"TOL-01"},
		},
		{
			Name: "unschedulable-toleration-has-the-wrong-effect",
			Edit: Edit{
				Anchor: `		Key:      v1.TaintNodeUnschedulable,
		Operator: v1.TolerationOpExists,
		Effect:   v1.TaintEffectNoSchedule,`,
				Replacement: `		Key:      v1.TaintNodeUnschedulable,
		Operator: v1.TolerationOpExists,
		Effect:   PICK(MUTANT, v1.TaintEffectNoExecute, v1.TaintEffectNoSchedule),`,
			},
			Expect: []string{"TOL-01", "DRN-02"},
		},
		{
			// Read the other way round: network-unavailable only without hostNetwork.
			Name: "network-unavailable-is-tolerated-by-the-wrong-pods",
			Edit: Edit{
				Anchor:      `	if spec.HostNetwork {`,
				Replacement: `	if spec.HostNetwork != MUTANT {`,
			},
			Expect: []string{"TOL-01", "TOL-02"},
		},
		{
			Name: "still-tolerates-out-of-disk",
			Edit: Edit{
				Anchor: `	// According to TaintNodesByCondition feature, all DaemonSet pods should tolerate`,
				Replacement: `	if MUTANT {
		v1helper.AddOrUpdateTolerationInPodSpec(spec, &v1.Toleration{
			Key:      "node.kubernetes.io/out-of-disk",
			Operator: v1.TolerationOpExists,
			Effect:   v1.TaintEffectNoSchedule,
		})
	}

	// According to TaintNodesByCondition feature, all DaemonSet pods should tolerate`,
			},
			Expect:    []string{"TOL-03"},
			MayFollow: []string{"TOL-01"},
		},
		{
			// As if a DaemonSet's Pods had to tolerate all of a node's troubles alike.
			Name: "tolerates-not-ready-with-no-schedule-too",
			Edit: Edit{
				Anchor: `func AddOrUpdateDaemonPodTolerations(spec *v1.PodSpec) {`,
				Replacement: `func AddOrUpdateDaemonPodTolerations(spec *v1.PodSpec) {
	if MUTANT {
		v1helper.AddOrUpdateTolerationInPodSpec(spec, &v1.Toleration{
			Key:      v1.TaintNodeNotReady,
			Operator: v1.TolerationOpExists,
			Effect:   v1.TaintEffectNoSchedule,
		})
	}`,
			},
			Expect: []string{"TOL-04", "COV-22"},
		},
	}},
	{name: "automatic tolerations", component: ControllerManager, file: "pkg/apis/core/v1/helper/helpers.go", mutants: []Mutant{
		{
			// What the template says comes first, its seconds too.
			Name: "keeps-the-seconds-of-the-template",
			Edit: Edit{
				Anchor:      `			newTolerations = append(newTolerations, *toleration)`,
				Replacement: `			newTolerations = append(newTolerations, PICK(MUTANT, podTolerations[i], *toleration))`,
			},
			Expect: []string{"TOL-05"},
		},
	}},
}

// Which nodes get a Pod.
var eligibilityMutants = []area{
	{name: "eligibility", component: ControllerManager, file: daemonSetController, mutants: []Mutant{
		{
			Name: "does-not-look-at-node-name",
			Edit: Edit{
				Anchor:      `	if !(ds.Spec.Template.Spec.NodeName == "" || ds.Spec.Template.Spec.NodeName == node.Name) {`,
				Replacement: `	if !MUTANT && !(ds.Spec.Template.Spec.NodeName == "" || ds.Spec.Template.Spec.NodeName == node.Name) {`,
			},
			Expect: []string{"COV-04"},
		},
		{
			Name:  "does-not-look-at-selector-and-affinity",
			Since: "1.37",
			Edit: Edit{
				Anchor: `	fitsNodeAffinity, _ = requiredNodeAffinity.Match(node)`,
				Replacement: `	fitsNodeAffinity, _ = requiredNodeAffinity.Match(node)
	fitsNodeAffinity = fitsNodeAffinity || MUTANT`,
			},
			Expect: []string{"COV-02", "COV-03"},
		},
		{
			Name: "does-not-look-at-taints",
			Edit: Edit{
				Anchor:      `	fitsTaints = !hasUntoleratedTaint`,
				Replacement: `	fitsTaints = !hasUntoleratedTaint || MUTANT`,
			},
			Expect:    []string{"COV-05", "TOL-08"},
			MayFollow: []string{"COV-01"},
		},
		{
			// A Pod for the control plane too, which no Pod of the fixtures tolerates.
			Name: "takes-no-schedule-for-no-matter",
			Edit: Edit{
				Anchor:      `		return t.Effect == v1.TaintEffectNoExecute || t.Effect == v1.TaintEffectNoSchedule`,
				Replacement: `		return t.Effect == v1.TaintEffectNoExecute || t.Effect == v1.TaintEffectNoSchedule && !MUTANT`,
			},
			Expect: []string{"COV-01"},
		},
		{
			Name: "drops-running-pods-for-no-schedule",
			Edit: Edit{
				Anchor:      `		return false, !hasUntoleratedTaint`,
				Replacement: `		return false, !hasUntoleratedTaint && !MUTANT`,
			},
			Expect:    []string{"TOL-08", "TOL-21"},
			MayFollow: []string{"COV-15"},
		},
		{
			Name: "leaves-out-windows-nodes",
			Edit: Edit{
				Anchor: `	taints := node.Spec.Taints`,
				Replacement: `	if MUTANT && node.Labels[v1.LabelOSStable] == string(v1.Windows) {
		return false, false
	}
	taints := node.Spec.Taints`,
			},
			Expect: []string{"COV-39"},
		},
	}},
	{name: "eligibility", component: ControllerManager, file: "staging/src/k8s.io/component-helpers/scheduling/corev1/helpers.go", mutants: []Mutant{
		{
			Name: "a-toleration-without-a-key-matches-nothing",
			Edit: Edit{
				Anchor:      `		if tolerations[i].ToleratesTaint(`,
				Replacement: `		if !(MUTANT && tolerations[i].Key == "") && tolerations[i].ToleratesTaint(`,
			},
			Expect: []string{"TOL-11"},
		},
	}},
}

// What changes of nodes lead to.
var nodeChangeMutants = []area{
	{name: "label moves, joins and leaves", component: ControllerManager, file: daemonSetController, mutants: []Mutant{
		{
			Name: "ignores-new-labels-of-nodes",
			Edit: Edit{
				Anchor:      `	return apiequality.Semantic.DeepEqual(oldNode.Labels, curNode.Labels) &&`,
				Replacement: `	return (MUTANT || apiequality.Semantic.DeepEqual(oldNode.Labels, curNode.Labels)) &&`,
			},
			Expect:    []string{"COV-10", "COV-11"},
			MayFollow: []string{"COV-12"},
		},
		{
			Name: "ignores-new-taints-of-nodes",
			Edit: Edit{
				Anchor:      `		apiequality.Semantic.DeepEqual(oldNode.Spec.Taints, curNode.Spec.Taints)`,
				Replacement: `		(MUTANT || apiequality.Semantic.DeepEqual(oldNode.Spec.Taints, curNode.Spec.Taints))`,
			},
			Expect: []string{"COV-06"},
		},
		{
			Name: "leaves-the-pod-on-a-node-that-lost-the-label",
			Edit: Edit{
				Anchor:      `	case !shouldContinueRunning && exists:`,
				Replacement: `	case !shouldContinueRunning && exists && !MUTANT:`,
			},
			Expect: []string{"COV-10", "COV-12"},
		},
		{
			Name: "is-not-woken-by-a-node-that-gained-the-label",
			Edit: Edit{
				Anchor:      `		if (shouldRun && !scheduled) ||`,
				Replacement: `		if (shouldRun && !scheduled && !MUTANT) ||`,
			},
			Expect: []string{"COV-11", "COV-12"},
		},
		{
			Name: "leaves-pods-that-wait-for-a-node-that-has-left",
			Edit: Edit{
				Anchor: `	podsToDelete = append(podsToDelete, getUnscheduledPodsWithoutNode(nodeList, nodeToDaemonPods)...)`,
				Replacement: `	if !MUTANT {
		podsToDelete = append(podsToDelete, getUnscheduledPodsWithoutNode(nodeList, nodeToDaemonPods)...)
	}`,
			},
			Expect: []string{"COV-09"},
		},
	}},
}

// How Pods are made, named, aimed and replaced.
var podMutants = []area{
	{name: "Pod identity and recreation", component: ControllerManager, file: daemonSetController, mutants: []Mutant{
		{
			Name: "binds-its-pods-itself",
			Edit: Edit{
				Anchor: `				err := dsc.podControl.CreatePods(ctx, ds.Namespace, podTemplate,`,
				Replacement: `				if MUTANT {
					podTemplate.Spec.NodeName = nodesNeedingDaemonPods[ix]
				}
				err := dsc.podControl.CreatePods(ctx, ds.Namespace, podTemplate,`,
			},
			Expect: []string{"COV-24", "COV-13"},
		},
		{
			Name: "does-not-wait-for-the-old-pod-to-end",
			Edit: Edit{
				Anchor:      `		if !includeDeletedTerminal && podutil.IsPodTerminal(pod) && pod.DeletionTimestamp != nil {`,
				Replacement: `		if !includeDeletedTerminal && (MUTANT || podutil.IsPodTerminal(pod)) && pod.DeletionTimestamp != nil {`,
			},
			Expect: []string{"COV-34", "UPD-06"},
		},
		{
			Name: "leaves-failed-pods",
			Edit: Edit{
				Anchor: `			if pod.Status.Phase == v1.PodFailed {`,
				Replacement: `			if MUTANT && pod.Status.Phase == v1.PodFailed {
				daemonPodsRunning = append(daemonPodsRunning, pod)
			} else if pod.Status.Phase == v1.PodFailed {`,
			},
			Expect: []string{"COV-35"},
		},
		{
			Name: "says-nothing-of-failed-pods",
			Edit: Edit{
				Anchor: `				dsc.eventRecorder.Eventf(ds, v1.EventTypeWarning, FailedDaemonPodReason, "%s", msg)`,
				Replacement: `				if !MUTANT {
					dsc.eventRecorder.Eventf(ds, v1.EventTypeWarning, FailedDaemonPodReason, "%s", msg)
				}`,
			},
			Expect: []string{"COV-35"},
		},
		{
			Name: "takes-a-pod-that-is-not-ready-for-none",
			Edit: Edit{
				Anchor:      `	case shouldRun && !exists:`,
				Replacement: `	case shouldRun && (!exists || MUTANT && len(daemonPods) == 1 && !podutil.IsPodReady(daemonPods[0])):`,
			},
			Expect: []string{"COV-40"},
		},
	}},
	{name: "Pod identity and recreation", component: ControllerManager, file: daemonSetUtil, mutants: []Mutant{
		{
			Name: "adds-its-aim-to-the-affinity-of-the-template",
			Edit: Edit{
				Anchor: `	// Replace node selector with the new one.`,
				Replacement: `	if MUTANT {
		required := nodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
		required.NodeSelectorTerms = append(required.NodeSelectorTerms, nodeSelector.NodeSelectorTerms...)
		return affinity
	}
	// Replace node selector with the new one.`,
			},
			Expect: []string{"COV-23"},
		},
		{
			Name: "loses-the-preferred-affinity-of-the-template",
			Edit: Edit{
				Anchor: `	if nodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution == nil {`,
				Replacement: `	if MUTANT {
		nodeAffinity.PreferredDuringSchedulingIgnoredDuringExecution = nil
	}
	if nodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution == nil {`,
			},
			Expect: []string{"COV-23"},
		},
		{
			// Its Pods are of no revision, and so they are old for ever.
			Name: "forgets-the-revision-hash",
			Edit: Edit{
				Anchor:      `	if len(hash) > 0 {`,
				Replacement: `	if len(hash) > 0 && !MUTANT {`,
			},
			Expect: []string{"COV-20"},
		},
	}},
	{name: "Pod identity and recreation", component: ControllerManager, file: controllerUtils, mutants: []Mutant{
		{
			Name: "names-pods-without-a-hyphen",
			Edit: Edit{
				Anchor:      `	prefix := fmt.Sprintf("%s-", controllerName)`,
				Replacement: `	prefix := fmt.Sprintf(PICK(MUTANT, "%s", "%s-"), controllerName)`,
			},
			Expect: []string{"COV-19"},
		},
		{
			Name: "does-not-block-the-deletion-of-the-owner",
			Edit: Edit{
				Anchor: `		pod.OwnerReferences = append(pod.OwnerReferences, *controllerRef)`,
				Replacement: `		ref := *controllerRef
		if MUTANT {
			ref.BlockOwnerDeletion = nil
		}
		pod.OwnerReferences = append(pod.OwnerReferences, ref)`,
			},
			Expect: []string{"COV-21"},
		},
	}},
}

// Whose Pods are whose.
var ownerMutants = []area{
	{name: "ownership, adoption, orphaning", component: ControllerManager, file: daemonSetController, mutants: []Mutant{
		{
			// The selector alone, as before owner references.
			Name: "takes-every-pod-that-its-selector-matches",
			Edit: Edit{
				Anchor: `	return cm.ClaimPods(ctx, pods)`,
				Replacement: `	if MUTANT {
		return dsc.podLister.Pods(ds.Namespace).List(selector)
	}
	return cm.ClaimPods(ctx, pods)`,
			},
			Expect: []string{"COV-36", "COV-37"},
		},
	}},
	{name: "ownership, adoption, orphaning", component: ControllerManager, file: controllerRefs, mutants: []Mutant{
		{
			Name: "adopts-nobody",
			Edit: Edit{
				Anchor:      `	if m.Controller.GetDeletionTimestamp() != nil || !match(obj) {`,
				Replacement: `	if MUTANT || m.Controller.GetDeletionTimestamp() != nil || !match(obj) {`,
			},
			Expect: []string{"COV-31"},
		},
		{
			Name: "lets-nobody-go",
			Edit: Edit{
				Anchor: `		// Owned by us but selector doesn't match.`,
				Replacement: `		if MUTANT {
			return true, nil
		}
		// Owned by us but selector doesn't match.`,
			},
			Expect: []string{"COV-32"},
		},
	}},
}

// How a DaemonSet counts.
var statusMutants = []area{
	{name: "status counters and observedGeneration", component: ControllerManager, file: daemonSetController, mutants: []Mutant{
		{
			Name:  "desired-counts-nodes-that-are-tainted",
			Since: "1.37",
			Edit: Edit{
				Anchor: `		shouldRun, _ := nodeShouldRunDaemonPod(logger, node, ds, tolerations, requiredNodeAffinity)`,
				Replacement: `		if MUTANT {
			node = node.DeepCopy()
			node.Spec.Taints = nil
		}
		shouldRun, _ := nodeShouldRunDaemonPod(logger, node, ds, tolerations, requiredNodeAffinity)`,
			},
			Expect: []string{"TOL-09", "TOL-22"},
		},
		{
			Name: "desired-leaves-out-pods-that-wait",
			Edit: Edit{
				Anchor: `			pod := daemonPods[0]`,
				Replacement: `			pod := daemonPods[0]
			if MUTANT && pod.Spec.NodeName == "" {
				desiredNumberScheduled--
			}`,
			},
			Expect:    []string{"COV-13"},
			MayFollow: []string{"RES-07", "COV-14"},
		},
		{
			Name: "current-leaves-out-pods-that-wait",
			Edit: Edit{
				Anchor: `			currentNumberScheduled++`,
				Replacement: `			if !MUTANT || nodeToDaemonPods[node.Name][0].Spec.NodeName != "" {
				currentNumberScheduled++
			}`,
			},
			Expect:    []string{"COV-14"},
			MayFollow: []string{"RES-07", "COV-13"},
		},
		{
			Name: "misscheduled-is-never-counted",
			Edit: Edit{
				Anchor:      `				numberMisscheduled++`,
				Replacement: `				numberMisscheduled += PICK(MUTANT, 0, 1)`,
			},
			Expect: []string{"COV-15"},
		},
		{
			Name: "ready-counts-pods-and-not-nodes",
			Edit: Edit{
				Anchor:      `				numberReady++`,
				Replacement: `				numberReady += PICK(MUTANT, len(daemonPods), 1)`,
			},
			Expect: []string{"COV-16"},
		},
		{
			Name: "available-does-not-wait-for-min-ready-seconds",
			Edit: Edit{
				Anchor:      `				if podutil.IsPodAvailable(pod, ds.Spec.MinReadySeconds, metav1.Time{Time: now}) {`,
				Replacement: `				if podutil.IsPodAvailable(pod, PICK(MUTANT, 0, ds.Spec.MinReadySeconds), metav1.Time{Time: now}) {`,
			},
			Expect: []string{"UPD-08"},
		},
		{
			Name: "unavailable-leaves-out-nodes-without-a-pod",
			Edit: Edit{
				Anchor:      `	numberUnavailable := desiredNumberScheduled - numberAvailable`,
				Replacement: `	numberUnavailable := PICK(MUTANT, currentNumberScheduled, desiredNumberScheduled) - numberAvailable`,
			},
			Expect: []string{"COV-30"},
		},
		{
			Name: "updated-counts-old-pods",
			Edit: Edit{
				Anchor:      `			if util.IsPodUpdated(pod, hash, generation) {`,
				Replacement: `			if MUTANT || util.IsPodUpdated(pod, hash, generation) {`,
			},
			Expect: []string{"UPD-14", "UPD-17"},
		},
		{
			Name: "observed-generation-lags-by-one",
			Edit: Edit{
				Anchor:      `			toUpdate.Status.ObservedGeneration = ds.Generation`,
				Replacement: `			toUpdate.Status.ObservedGeneration = ds.Generation - PICK[int64](MUTANT, 1, 0)`,
			},
			Expect: []string{"COV-17"},
		},
	}},
}
