package mutants

const (
	drainFilters = "staging/src/k8s.io/kubectl/pkg/drain/filters.go"
	drainHelper  = "staging/src/k8s.io/kubectl/pkg/drain/drain.go"
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
			Expect: []string{"DRN-03"},
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
	{name: "drain and budgets", component: Kubectl, file: drainCommand, mutants: []Mutant{
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
