package mutants

const preempting = "pkg/scheduler/framework/plugins/defaultpreemption/default_preemption.go"

// Where the scheduler lets Pods go.
var schedulerMutants = []area{
	{name: "host ports", component: Scheduler, file: "pkg/scheduler/framework/plugins/nodeports/node_ports.go", mutants: []Mutant{
		{
			Name: "does-not-look-at-host-ports",
			Edit: Edit{
				Anchor:      `		if portsInUse.CheckConflict(cp.HostIP, string(cp.Protocol), cp.HostPort) {`,
				Replacement: `		if portsInUse.CheckConflict(cp.HostIP, string(cp.Protocol), cp.HostPort) && !MUTANT {`,
			},
			Expect: []string{"COV-26", "UPD-13"},
		},
	}},
	{name: "effective requests", component: Scheduler, file: "pkg/scheduler/framework/plugins/noderesources/fit.go", mutants: []Mutant{
		{
			Name:  "does-not-look-at-cpu",
			Since: "1.37",
			Edit: Edit{
				Anchor:      `	if podRequest.MilliCPU > 0 && deltaMilliCPU > (`,
				Replacement: `	if !MUTANT && podRequest.MilliCPU > 0 && deltaMilliCPU > (`,
			},
			Expect: []string{"RES-07"},
		},
	}},
	{name: "eligibility", component: Scheduler, file: "pkg/scheduler/framework/plugins/nodeunschedulable/node_unschedulable.go", mutants: []Mutant{
		{
			Name: "takes-the-toleration-of-a-cordon-for-nothing",
			Edit: Edit{
				Anchor:      `	if !podToleratesUnschedulable {`,
				Replacement: `	if !podToleratesUnschedulable || MUTANT {`,
			},
			Expect: []string{"DRN-02", "DRN-20"},
		},
	}},
	{name: "eligibility", component: Scheduler, file: "pkg/scheduler/framework/plugins/tainttoleration/taint_toleration.go", mutants: []Mutant{
		{
			Name: "keeps-pods-from-nodes-for-any-taint",
			Edit: Edit{
				Anchor:      `		helper.DoNotScheduleTaintsFilterFunc(),`,
				Replacement: `		func(t *v1.Taint) bool { return MUTANT || helper.DoNotScheduleTaintsFilterFunc()(t) },`,
			},
			Expect: []string{"TOL-10"},
		},
	}},
	{name: "preemption", component: Scheduler, file: preempting, mutants: []Mutant{
		{
			Name:  "preempts-pods-of-equal-priority",
			Since: "1.37",
			Edit: Edit{
				Anchor:      `	if victim.Priority() >= corev1helpers.PodPriority(preemptor) {`,
				Replacement: `	if victim.Priority() >= corev1helpers.PodPriority(preemptor) + PICK[int32](MUTANT, 1, 0) {`,
			},
			Expect: []string{"COV-25"},
		},
		{
			Name: "preempts-nobody",
			Edit: Edit{
				Anchor:      `	if len(potentialVictims) == 0 {`,
				Replacement: `	if MUTANT || len(potentialVictims) == 0 {`,
			},
			Expect: []string{"COV-25"},
		},
	}},
}
