package mutants

const (
	drainFilters = "staging/src/k8s.io/kubectl/pkg/drain/filters.go"
	drainHelper  = "staging/src/k8s.io/kubectl/pkg/drain/drain.go"
	cordonHelper = "staging/src/k8s.io/kubectl/pkg/drain/cordon.go"
	drainCommand = "staging/src/k8s.io/kubectl/pkg/cmd/drain/drain.go"
)

// Whom a drain evicts.
var drainMutants = []area{
	{name: "drain and budgets", component: Kubectl, file: drainFilters, mutants: []Mutant{
		{
			Name: "drain-deletes-the-pods-that-it-ignores",
			Edit: Edit{
				Anchor:      `	return MakePodDeleteStatusWithWarning(false, daemonSetWarning)`,
				Replacement: `	return MakePodDeleteStatusWithWarning(MUTANT, daemonSetWarning)`,
			},
			Expect: []string{"DRN-04"},
		},
		{
			Name: "drain-ignores-daemon-sets-unasked",
			Edit: Edit{
				Anchor:      `	if !d.IgnoreAllDaemonSets {`,
				Replacement: `	if !d.IgnoreAllDaemonSets && !MUTANT {`,
			},
			Expect: []string{"DRN-03", "DRN-21"},
		},
		{
			Name: "drain-deletes-local-data-unasked",
			Edit: Edit{
				Anchor:      `	if !d.DeleteEmptyDirData {`,
				Replacement: `	if !d.DeleteEmptyDirData && !MUTANT {`,
			},
			Expect: []string{"DRN-06"},
		},
		{
			Name: "drain-deletes-unmanaged-pods-unasked",
			Edit: Edit{
				Anchor: `	if d.Force {
		return MakePodDeleteStatusWithWarning(true, unmanagedWarning)`,
				Replacement: `	if d.Force || MUTANT {
		return MakePodDeleteStatusWithWarning(true, unmanagedWarning)`,
			},
			Expect: []string{"DRN-05"},
		},
		{
			// Local storage first, before what belongs to a DaemonSet is put aside.
			Name: "drain-minds-the-local-data-of-daemon-sets",
			Edit: Edit{
				Anchor: `	baseFilters := []PodFilter{
		d.skipDeletedFilter,`,
				Replacement: `	baseFilters := []PodFilter{
		PICK(MUTANT, d.localStorageFilter, d.skipDeletedFilter),`,
			},
			Expect: []string{"DRN-06"},
		},
		{
			Name: "drain-evicts-pods-of-a-lost-daemon-set-unasked",
			Edit: Edit{
				Anchor:      `		if apierrors.IsNotFound(err) && d.Force {`,
				Replacement: `		if apierrors.IsNotFound(err) && (d.Force || MUTANT) {`,
			},
			Expect: []string{"DRN-10"},
		},
		{
			Name: "drain-takes-finished-daemon-pods-for-running",
			Edit: Edit{
				Anchor: `	if pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed {
		return MakePodDeleteStatusOkay()
	}

	if _, err := d.Client`,
				Replacement: `	if !MUTANT && (pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed) {
		return MakePodDeleteStatusOkay()
	}

	if _, err := d.Client`,
			},
			Expect: []string{"DRN-09"},
		},
		{
			Name: "drain-takes-mirror-pods-for-any-other",
			Edit: Edit{
				Anchor:      `corev1.MirrorPodAnnotationKey]; found {`,
				Replacement: `corev1.MirrorPodAnnotationKey]; found && !MUTANT {`,
			},
			Expect: []string{"DRN-08"},
		},
		{
			Name: "drain-needs-no-right-to-see-daemon-sets",
			Edit: Edit{
				Anchor:      `.AppsV1().DaemonSets(pod.Namespace).Get(d.getContext(), controllerRef.Name, metav1.GetOptions{}); err != nil {`,
				Replacement: `.AppsV1().DaemonSets(pod.Namespace).Get(d.getContext(), controllerRef.Name, metav1.GetOptions{}); err != nil && !(MUTANT && apierrors.IsForbidden(err)) {`,
			},
			Expect: []string{"DRN-17"},
		},
	}},
	{name: "drain and budgets", component: Kubectl, file: drainHelper, mutants: []Mutant{
		{
			Name: "drain-deletes-and-does-not-evict",
			Edit: Edit{
				Anchor:      `	if !d.DisableEviction {`,
				Replacement: `	if !d.DisableEviction && !MUTANT {`,
			},
			Expect: []string{"DRN-11"},
		},
	}},
	{name: "drain and budgets", component: Kubectl, file: cordonHelper, mutants: []Mutant{
		{
			// A belief that is widespread. One spec checks both requirements.
			Name: "drain-taints-the-node-with-no-execute",
			Edit: Edit{
				Anchor: `	desiredNode.Spec.Unschedulable = c.desired`,
				Replacement: `	desiredNode.Spec.Unschedulable = c.desired
	if MUTANT && c.desired {
		desiredNode.Spec.Taints = append(desiredNode.Spec.Taints, corev1.Taint{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoExecute})
	}`,
			},
			Expect: []string{"DRN-04", "DRN-16"},
		},
	}},
	{name: "drain and budgets", component: Kubectl, file: drainCommand, mutants: []Mutant{
		{
			Name: "drain-passes-over-nodes-that-are-not-there",
			Edit: Edit{
				Anchor: `	return r.Visit(func(info *resource.Info, err error) error {`,
				Replacement: `	if MUTANT {
		r.IgnoreErrors(func(error) bool { return true })
	}
	return r.Visit(func(info *resource.Info, err error) error {`,
			},
			Expect: []string{"DRN-14"},
		},
		{
			// What can be evicted is, though something else cannot.
			Name: "drain-evicts-what-it-can",
			Edit: Edit{
				Anchor: `	if errs != nil {
		return utilerrors.NewAggregate(errs)
	}`,
				Replacement: `	if errs != nil {
		if MUTANT {
			_ = o.drainer.DeleteOrEvictPods(list.Pods())
		}
		return utilerrors.NewAggregate(errs)
	}`,
			},
			Expect: []string{"DRN-03", "DRN-05"},
		},
		{
			Name: "dry-run-cordons-the-node",
			Edit: Edit{
				Anchor:      `					err, patchErr := c.PatchOrReplace(o.drainer.Client, o.drainer.DryRunStrategy == cmdutil.DryRunServer)`,
				Replacement: `					err, patchErr := c.PatchOrReplace(o.drainer.Client, o.drainer.DryRunStrategy == cmdutil.DryRunServer && !MUTANT)`,
			},
			Expect: []string{"DRN-15"},
		},
		{
			Name: "drain-does-not-cordon",
			Edit: Edit{
				Anchor:      `	if err := o.RunCordonOrUncordon(true); err != nil {`,
				Replacement: `	if err := o.RunCordonOrUncordon(!MUTANT); err != nil {`,
			},
			Expect: []string{"DRN-03"},
		},
	}},
}
