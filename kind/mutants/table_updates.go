package mutants

const daemonSetUpdate = "pkg/controller/daemon/update.go"

// How old Pods make place for new ones.
var updateMutants = []area{
	{name: "rolling update", component: ControllerManager, file: daemonSetUpdate, mutants: []Mutant{
		{
			Name: "takes-one-node-more-than-the-budget",
			Edit: Edit{
				Anchor:      `		remainingUnavailable := maxUnavailable - numUnavailable`,
				Replacement: `		remainingUnavailable := maxUnavailable - numUnavailable + PICK(MUTANT, 1, 0)`,
			},
			Expect: []string{"UPD-04", "UPD-11"},
		},
		{
			Name: "forgets-new-pods-that-are-not-available",
			Edit: Edit{
				Anchor: `					// an unavailable new pod is counted against maxUnavailable
					numUnavailable++`,
				Replacement: `					numUnavailable += PICK(MUTANT, 0, 1)`,
			},
			Expect: []string{"UPD-04", "UPD-09"},
		},
		{
			Name: "forgets-nodes-between-two-pods",
			Edit: Edit{
				Anchor: `				// the manage loop will handle creating or deleting the appropriate pod, consider this unavailable
				numUnavailable++`,
				Replacement: `				numUnavailable += PICK(MUTANT, 0, 1)`,
			},
			Expect: []string{"UPD-25", "UPD-21"},
		},
		{
			Name: "makes-broken-old-pods-wait-for-the-budget",
			Edit: Edit{
				Anchor: `					allowedReplacementPods = append(allowedReplacementPods, oldPod.Name)`,
				Replacement: `					if MUTANT {
						candidatePodsToDelete = append(candidatePodsToDelete, oldPod.Name)
					} else {
						allowedReplacementPods = append(allowedReplacementPods, oldPod.Name)
					}`,
			},
			Expect: []string{"UPD-05"},
		},
		{
			Name: "forgets-broken-old-pods-in-the-budget",
			Edit: Edit{
				Anchor: `					numUnavailable++
				case numUnavailable >= maxUnavailable:`,
				Replacement: `					numUnavailable += PICK(MUTANT, 0, 1)
				case numUnavailable >= maxUnavailable:`,
			},
			Expect: []string{"UPD-05"},
		},
		{
			Name: "goes-on-before-min-ready-seconds-are-over",
			Edit: Edit{
				Anchor: `				// this pod is up to date, check its availability
				if !podutil.IsPodAvailable(newPod, ds.Spec.MinReadySeconds, metav1.Time{Time: now}) {`,
				Replacement: `				if !podutil.IsPodAvailable(newPod, PICK(MUTANT, 0, ds.Spec.MinReadySeconds), metav1.Time{Time: now}) {`,
			},
			Expect: []string{"UPD-08"},
		},
	}},
	{name: "rolling update", component: ControllerManager, file: daemonSetUtil, mutants: []Mutant{
		{
			// As Deployments do.
			Name: "rounds-max-unavailable-down",
			Edit: Edit{
				Anchor:      `	return intstrutil.GetScaledValueFromIntOrPercent(r.MaxUnavailable, numberToSchedule, true)`,
				Replacement: `	return intstrutil.GetScaledValueFromIntOrPercent(r.MaxUnavailable, numberToSchedule, !MUTANT)`,
			},
			Expect: []string{"UPD-03"},
		},
		{
			Name: "rounds-max-surge-down",
			Edit: Edit{
				Anchor:      `	return intstrutil.GetScaledValueFromIntOrPercent(r.MaxSurge, numberToSchedule, true)`,
				Replacement: `	return intstrutil.GetScaledValueFromIntOrPercent(r.MaxSurge, numberToSchedule, !MUTANT)`,
			},
			Expect: []string{"UPD-03"},
		},
	}},
	{name: "rolling update", component: ControllerManager, file: daemonSetController, mutants: []Mutant{
		{
			// One node after the other, as the budget has it.
			Name: "makes-no-pod-while-another-one-ends",
			Edit: Edit{
				Anchor: `		nodesNeedingDaemonPods = append(nodesNeedingDaemonPods, nodesNeedingDaemonPodsOnNode...)`,
				Replacement: `		ending := false
		for _, pods := range nodeToDaemonPods {
			for _, pod := range pods {
				ending = ending || pod.DeletionTimestamp != nil
			}
		}
		if !MUTANT || !ending {
			nodesNeedingDaemonPods = append(nodesNeedingDaemonPods, nodesNeedingDaemonPodsOnNode...)
		}`,
			},
			Expect: []string{"UPD-22"},
		},
	}},
	{name: "OnDelete", component: ControllerManager, file: daemonSetController, mutants: []Mutant{
		{
			// A case that falls through where languages like C let it.
			Name: "on-delete-rolls-on",
			Edit: Edit{
				Anchor: `		case apps.OnDeleteDaemonSetStrategyType:`,
				Replacement: `		case apps.OnDeleteDaemonSetStrategyType:
			if MUTANT {
				err = dsc.rollingUpdate(ctx, ds, nodeList, hash)
			}`,
			},
			Expect: []string{"UPD-14", "UPD-20"},
		},
	}},
}

// How new Pods come beside old ones.
var surgeMutants = []area{
	{name: "surge", component: ControllerManager, file: daemonSetUpdate, mutants: []Mutant{
		{
			Name: "surges-on-one-node-more",
			Edit: Edit{
				Anchor:      `	remainingSurge := maxSurge - numSurge`,
				Replacement: `	remainingSurge := maxSurge - numSurge + PICK(MUTANT, 1, 0)`,
			},
			Expect: []string{"UPD-07"},
		},
		{
			Name: "deletes-the-old-pod-before-the-new-one-is-available",
			Edit: Edit{
				Anchor: `				// we're waiting to go available here
				numSurge++
				continue`,
				Replacement: `				numSurge++
				if !MUTANT {
					continue
				}`,
			},
			Expect:    []string{"UPD-07"},
			MayFollow: []string{"UPD-12"},
		},
	}},
	{name: "surge", component: ControllerManager, file: daemonSetUtil, mutants: []Mutant{
		{
			Name: "does-not-surge",
			Edit: Edit{
				Anchor:      `	return err == nil && maxSurge > 0`,
				Replacement: `	return err == nil && maxSurge > 0 && !MUTANT`,
			},
			Expect: []string{"UPD-07"},
		},
	}},
	{name: "surge", component: ControllerManager, file: daemonSetController, mutants: []Mutant{
		{
			Name: "keeps-the-surging-pod-and-not-the-old-one",
			Edit: Edit{
				Anchor:      `			if pod.Labels[apps.ControllerRevisionHashLabelKey] == hash {`,
				Replacement: `			if (pod.Labels[apps.ControllerRevisionHashLabelKey] == hash) != MUTANT {`,
			},
			Expect: []string{"UPD-07"},
		},
		{
			Name: "deletes-the-new-pod-where-the-old-one-is-not-ready",
			Edit: Edit{
				Anchor: `				podsToDelete = append(podsToDelete, oldestOldPod.Name)
			case podutil.IsPodAvailable(oldestNewPod`,
				Replacement: `				podsToDelete = append(podsToDelete, PICK(MUTANT, oldestNewPod, oldestOldPod).Name)
			case podutil.IsPodAvailable(oldestNewPod`,
			},
			Expect: []string{"UPD-12"},
		},
	}},
}

// What is kept of old templates.
var revisionMutants = []area{
	{name: "revisions, history limit, rollback", component: ControllerManager, file: daemonSetUpdate, mutants: []Mutant{
		{
			Name: "does-not-raise-the-revision-of-a-rollback",
			Edit: Edit{
				Anchor:      `		if cur.Revision < currRevision {`,
				Replacement: `		if cur.Revision < currRevision && !MUTANT {`,
			},
			Expect: []string{"UPD-10"},
		},
		{
			Name: "keeps-one-revision-more",
			Edit: Edit{
				Anchor:      `	toKill := len(old) - toKeep`,
				Replacement: `	toKill := len(old) - toKeep - PICK(MUTANT, 1, 0)`,
			},
			Expect: []string{"UPD-16"},
		},
		{
			Name: "removes-the-newest-revisions-first",
			Edit: Edit{
				Anchor:      `	return h[i].Revision < h[j].Revision`,
				Replacement: `	return (h[i].Revision < h[j].Revision) != MUTANT`,
			},
			Expect: []string{"UPD-16"},
		},
		{
			Name: "does-not-spare-the-revisions-of-live-pods",
			Edit: Edit{
				Anchor:      `liveHashes[hash] {`,
				Replacement: `liveHashes[hash] && !MUTANT {`,
			},
			Expect: []string{"UPD-16"},
		},
		{
			Name: "keeps-the-update-strategy-in-the-revision",
			Edit: Edit{
				Anchor: `	objCopy["spec"] = specCopy`,
				Replacement: `	if MUTANT {
		specCopy["updateStrategy"] = spec["updateStrategy"]
	}
	objCopy["spec"] = specCopy`,
			},
			Expect: []string{"UPD-15"},
		},
		{
			Name: "does-not-update-for-annotations",
			Edit: Edit{
				Anchor: `	specCopy["template"] = template`,
				Replacement: `	if meta, ok := template["metadata"].(map[string]interface{}); ok && MUTANT {
		delete(meta, "annotations")
	}
	specCopy["template"] = template`,
			},
			Expect: []string{"UPD-23", "UPD-19"},
		},
		{
			Name: "the-revision-merges-instead-of-replacing",
			Edit: Edit{
				Anchor: `	template["$patch"] = "replace"`,
				Replacement: `	if !MUTANT {
		template["$patch"] = "replace"
	}`,
			},
			Expect: []string{"UPD-15"},
		},
	}},
}
