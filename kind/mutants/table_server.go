package mutants

const (
	coreDefaults   = "pkg/apis/core/v1/defaults.go"
	coreValidation = "pkg/apis/core/validation/validation.go"
	appsDefaults   = "pkg/apis/apps/v1/defaults.go"
	appsValidation = "pkg/apis/apps/validation/validation.go"
	podStrategy    = "pkg/registry/core/pod/strategy.go"
	limitRanger    = "plugin/pkg/admission/limitranger/admission.go"
	qosOfServer    = "pkg/apis/core/helper/qos/qos.go"
	effective      = "staging/src/k8s.io/component-helpers/resource/helpers.go"
)

// What the API server fills in, refuses and writes down.
var serverMutants = []area{
	{name: "defaults and validation", component: APIServer, file: appsDefaults, mutants: []Mutant{
		{
			// The number of Deployments.
			Name: "max-unavailable-defaults-to-a-quarter",
			Edit: Edit{
				Anchor:      `			updateStrategy.RollingUpdate.MaxUnavailable = ptr.To(intstr.FromInt32(1))`,
				Replacement: `			updateStrategy.RollingUpdate.MaxUnavailable = ptr.To(PICK(MUTANT, intstr.FromString("25%"), intstr.FromInt32(1)))`,
			},
			Expect: []string{"UPD-01"},
		},
		{
			Name: "keeps-three-revisions-by-default",
			Edit: Edit{
				Anchor: `			updateStrategy.RollingUpdate.MaxSurge = ptr.To(intstr.FromInt32(0))
		}
	}
	if obj.Spec.RevisionHistoryLimit == nil {
		obj.Spec.RevisionHistoryLimit = new(int32)
		*obj.Spec.RevisionHistoryLimit = 10`,
				Replacement: `			updateStrategy.RollingUpdate.MaxSurge = ptr.To(intstr.FromInt32(0))
		}
	}
	if obj.Spec.RevisionHistoryLimit == nil {
		obj.Spec.RevisionHistoryLimit = new(int32)
		*obj.Spec.RevisionHistoryLimit = PICK[int32](MUTANT, 3, 10)`,
			},
			Expect: []string{"UPD-01"},
		},
	}},
	{name: "defaults and validation", component: APIServer, file: appsValidation, mutants: []Mutant{
		{
			Name: "takes-surge-and-unavailable-at-once",
			Edit: Edit{
				Anchor:      `	case hasUnavailable && hasSurge:`,
				Replacement: `	case hasUnavailable && hasSurge && !MUTANT:`,
			},
			Expect: []string{"UPD-02"},
		},
		{
			Name: "takes-surge-above-all-nodes",
			Edit: Edit{
				Anchor: `	allErrs = append(allErrs, IsNotMoreThan100Percent(rollingUpdate.MaxSurge, fldPath.Child("maxSurge"))...)`,
				Replacement: `	if !MUTANT {
		allErrs = append(allErrs, IsNotMoreThan100Percent(rollingUpdate.MaxSurge, fldPath.Child("maxSurge"))...)
	}`,
			},
			Expect: []string{"UPD-02"},
		},
		{
			Name: "takes-an-empty-selector",
			Edit: Edit{
				Anchor:      `		allErrs = append(allErrs, field.Invalid(fldPath.Child("selector"), spec.Selector, "empty selector is invalid for daemonset"))`,
				Replacement: `		allErrs = append(allErrs, PICK(MUTANT, nil, field.ErrorList{field.Invalid(fldPath.Child("selector"), spec.Selector, "empty selector is invalid for daemonset")})...)`,
			},
			Expect: []string{"COV-27"},
		},
		{
			Name: "takes-a-deadline-for-daemon-sets",
			Edit: Edit{
				Anchor:      `		allErrs = append(allErrs, field.Forbidden(fldPath.Child("template", "spec", "activeDeadlineSeconds"), "activeDeadlineSeconds in DaemonSet is not Supported"))`,
				Replacement: `		allErrs = append(allErrs, PICK(MUTANT, nil, field.ErrorList{field.Forbidden(fldPath.Child("template", "spec", "activeDeadlineSeconds"), "activeDeadlineSeconds in DaemonSet is not Supported")})...)`,
			},
			Expect: []string{"COV-29"},
		},
	}},
	{name: "defaults and validation", component: APIServer, file: "pkg/registry/apps/daemonset/strategy.go", mutants: []Mutant{
		{
			Name: "every-write-raises-the-generation",
			Edit: Edit{
				Anchor:      `	if !apiequality.Semantic.DeepEqual(oldDaemonSet.Spec, newDaemonSet.Spec) {`,
				Replacement: `	if MUTANT || !apiequality.Semantic.DeepEqual(oldDaemonSet.Spec, newDaemonSet.Spec) {`,
			},
			Expect: []string{"COV-17", "UPD-24"},
		},
		{
			// What validates an update comes after what validates the object.
			Name: "selector-can-be-changed",
			Edit: Edit{
				Anchor: `	return validation.ValidateDaemonSetUpdate(newDaemonSet, oldDaemonSet, opts)`,
				Replacement: `	if MUTANT {
		return validation.ValidateDaemonSet(newDaemonSet, opts)
	}
	return validation.ValidateDaemonSetUpdate(newDaemonSet, oldDaemonSet, opts)`,
			},
			Expect: []string{"COV-28"},
		},
	}},
	{name: "defaults and validation", component: APIServer, file: coreValidation, mutants: []Mutant{
		{
			Name: "takes-seconds-with-any-effect",
			Edit: Edit{
				Anchor:      `		if toleration.TolerationSeconds != nil && toleration.Effect != core.TaintEffectNoExecute {`,
				Replacement: `		if !MUTANT && toleration.TolerationSeconds != nil && toleration.Effect != core.TaintEffectNoExecute {`,
			},
			Expect: []string{"TOL-16"},
		},
		{
			Name: "takes-probes-of-init-containers",
			Edit: Edit{
				Anchor:      `				allErrs = append(allErrs, field.Forbidden(idxPath.Child("readinessProbe"), "may not be set for init containers without restartPolicy=Always"))`,
				Replacement: `				allErrs = append(allErrs, PICK(MUTANT, nil, field.ErrorList{field.Forbidden(idxPath.Child("readinessProbe"), "may not be set for init containers without restartPolicy=Always")})...)`,
			},
			Expect: []string{"INI-15"},
		},
		{
			Name: "sidecars-are-init-containers-like-any-other",
			Edit: Edit{
				Anchor:      `			restartAlways = *ctr.RestartPolicy == core.ContainerRestartPolicyAlways`,
				Replacement: `			restartAlways = *ctr.RestartPolicy == core.ContainerRestartPolicyAlways && !MUTANT`,
			},
			Expect: []string{"SID-08"},
		},
		{
			Name: "takes-restart-rules-without-a-policy",
			Edit: Edit{
				Anchor:      `			allErrors = append(allErrors, field.Required(fldPath.Child("restartPolicy"), "must specify restartPolicy when restart rules are used"))`,
				Replacement: `			allErrors = append(allErrors, PICK(MUTANT, nil, field.ErrorList{field.Required(fldPath.Child("restartPolicy"), "must specify restartPolicy when restart rules are used")})...)`,
			},
			Expect: []string{"SID-10"},
		},
	}},
	{name: "QoS", component: APIServer, file: coreValidation, mutants: []Mutant{
		{
			// The status is the stored one, and so is the class in it.
			Name: "resize-compares-the-old-class-with-itself",
			Edit: Edit{
				Anchor:      `	if qos.GetPodQOS(oldPod) != qos.ComputePodQOS(newPod) {`,
				Replacement: `	if qos.GetPodQOS(oldPod) != PICK(MUTANT, qos.GetPodQOS(newPod), qos.ComputePodQOS(newPod)) {`,
			},
			Expect: []string{"QOS-26"},
		},
	}},
	{name: "defaults and validation", component: APIServer, file: "plugin/pkg/admission/defaulttolerationseconds/admission.go", mutants: []Mutant{
		{
			Name: "adds-no-seconds-for-unreachable",
			Edit: Edit{
				Anchor:      `	if !toleratesNodeUnreachable {`,
				Replacement: `	if !toleratesNodeUnreachable && !MUTANT {`,
			},
			Expect: []string{"TOL-06"},
		},
	}},
	{name: "grace period, preStop", component: APIServer, file: podStrategy, mutants: []Mutant{
		{
			Name: "every-pod-gets-the-default-grace-period",
			Edit: Edit{
				Anchor:      `			period = *pod.Spec.TerminationGracePeriodSeconds`,
				Replacement: `			period = PICK(MUTANT, 30, *pod.Spec.TerminationGracePeriodSeconds)`,
			},
			Expect: []string{"TERM-01", "DRN-18"},
		},
		{
			// It is not asked about Pods that are being deleted: those a node still removes.
			Name: "deletion-by-force-waits-for-the-node",
			Edit: Edit{
				Anchor:      `	if options.GracePeriodSeconds != nil {`,
				Replacement: `	if options.GracePeriodSeconds != nil && !(MUTANT && *options.GracePeriodSeconds == 0) {`,
			},
			Expect: []string{"TERM-04"},
		},
	}},
	{name: "QoS", component: APIServer, file: podStrategy, mutants: []Mutant{
		{
			Name: "ephemeral-containers-change-the-class",
			Edit: Edit{
				Anchor: `	*newPod = *dropNonEphemeralContainerUpdates(newPod, oldPod)`,
				Replacement: `	*newPod = *dropNonEphemeralContainerUpdates(newPod, oldPod)
	if MUTANT {
		counted := newPod.DeepCopy()
		for _, c := range newPod.Spec.EphemeralContainers {
			counted.Spec.Containers = append(counted.Spec.Containers, api.Container(c.EphemeralContainerCommon))
		}
		newPod.Status.QOSClass = qos.ComputePodQOS(counted)
	}`,
			},
			Expect: []string{"QOS-24"},
		},
	}},
	{name: "drain and budgets", component: APIServer, file: "pkg/registry/core/pod/storage/eviction.go", mutants: []Mutant{
		{
			Name: "eviction-does-not-look-at-the-budget",
			Edit: Edit{
				Anchor:      `		if !canIgnorePDB(pod) {`,
				Replacement: `		if !canIgnorePDB(pod) && !MUTANT {`,
			},
			Expect:    []string{"DRN-11"},
			MayFollow: []string{"DRN-12"},
		},
	}},
	{name: "condition-to-taint mapping", component: APIServer, file: "plugin/pkg/admission/nodetaint/admission.go", mutants: []Mutant{
		{
			Name: "nodes-join-without-the-taint-not-ready",
			Edit: Edit{
				Anchor: `	addNotReadyTaint(node)
	return nil`,
				Replacement: `	if !MUTANT {
		addNotReadyTaint(node)
	}
	return nil`,
			},
			Expect: []string{"NODE-01"},
		},
	}},
	{name: "QoS", component: APIServer, file: qosOfServer, mutants: []Mutant{
		{
			Name:  "init-containers-are-of-no-class",
			Since: "1.37",
			Edit: Edit{
				Anchor: `		for _, c := range pod.Spec.InitContainers {`,
				Replacement: `		for _, c := range pod.Spec.InitContainers {
			if MUTANT {
				break
			}`,
			},
			Expect: []string{"QOS-11", "QOS-12", "QOS-14"},
		},
		{
			// A belief that is widespread.
			Name:  "the-lowest-container-decides-the-class",
			Since: "1.37",
			Edit: Edit{
				Anchor:      `			return core.PodQOSBurstable // If one container is BestEffort and another is Guaranteed, the pod is Burstable`,
				Replacement: `			return PICK(MUTANT, core.PodQOSBestEffort, core.PodQOSBurstable)`,
			},
			Expect: []string{"QOS-09"},
			// The same mix of a container with and one without resources.
			MayFollow: []string{"QOS-11", "QOS-12"},
		},
		{
			Name:  "limits-alone-are-enough-for-guaranteed",
			Since: "1.37",
			Edit: Edit{
				Anchor:      `	if !req.Equal(lim) {`,
				Replacement: `	if !req.Equal(lim) && !(MUTANT && !lim.IsZero()) {`,
			},
			Expect: []string{"QOS-05", "QOS-08"},
		},
		{
			Name:  "one-resource-is-enough-for-guaranteed",
			Since: "1.37",
			Edit: Edit{
				Anchor: `		} else if qos != resQOS {`,
				Replacement: `		} else if MUTANT && qos == core.PodQOSBestEffort {
			qos = resQOS
		} else if qos != resQOS && !MUTANT {`,
			},
			Expect: []string{"QOS-06", "QOS-07"},
		},
		{
			Name:  "empty-resources-of-the-pod-count",
			Since: "1.37",
			Edit: Edit{
				Anchor:      `!utilfeature.DefaultFeatureGate.Enabled(features.PodLevelResourcesFixKubeletQOSClass) ||`,
				Replacement: `MUTANT || !utilfeature.DefaultFeatureGate.Enabled(features.PodLevelResourcesFixKubeletQOSClass) ||`,
			},
			Expect: []string{"QOS-23"},
		},
		{
			Name: "resources-of-the-pod-do-not-count",
			Edit: Edit{
				Anchor:      `	if utilfeature.DefaultFeatureGate.Enabled(features.PodLevelResources) &&`,
				Replacement: `	if !MUTANT && utilfeature.DefaultFeatureGate.Enabled(features.PodLevelResources) &&`,
			},
			Expect: []string{"QOS-20", "QOS-21", "QOS-22"},
		},
		{
			Name:  "asking-for-nothing-is-burstable",
			Since: "1.37",
			Edit: Edit{
				Anchor: `	if len(resources.Requests) == 0 && len(resources.Limits) == 0 {`,
				Replacement: `	if len(resources.Requests) == 0 && len(resources.Limits) == 0 {
		if MUTANT {
			return core.PodQOSBurstable
		}`,
			},
			Expect: []string{"QOS-01"},
		},
		{
			Name:  "without-limits-a-pod-is-best-effort",
			Since: "1.37",
			Edit: Edit{
				Anchor: `	lim := resources.Limits[res]`,
				Replacement: `	lim := resources.Limits[res]
	if MUTANT && lim.IsZero() {
		return core.PodQOSBestEffort
	}`,
			},
			Expect: []string{"QOS-04", "QOS-10", "QOS-14", "QOS-22"},
		},
		{
			Name:  "guaranteed-containers-must-be-alike",
			Since: "1.37",
			Edit: Edit{
				Anchor: `	for container := range containerIter {`,
				Replacement: `	var before *core.Container
	for container := range containerIter {
		if MUTANT && before != nil && !before.Resources.Limits.CPU().Equal(*container.Resources.Limits.CPU()) {
			return core.PodQOSBurstable
		}
		before = container`,
			},
			Expect: []string{"QOS-02", "QOS-13"},
		},
		{
			Name:  "every-resource-decides-the-class",
			Since: "1.37",
			Edit: Edit{
				Anchor:      `	for res := range supportedQoSComputeResources {`,
				Replacement: `	for res := range PICK(MUTANT, supportedQoSComputeResources.Union(sets.KeySet(resources.Requests)), supportedQoSComputeResources) {`,
			},
			Expect: []string{"QOS-15", "QOS-16", "QOS-17"},
		},
		{
			Name:  "guaranteed-asks-for-storage-too",
			Since: "1.37",
			Edit: Edit{
				Anchor: `	var qos core.PodQOSClass`,
				Replacement: `	var qos core.PodQOSClass
	if MUTANT {
		qos = resourceQOS(resources, core.ResourceEphemeralStorage)
	}`,
			},
			Expect: []string{"QOS-02", "QOS-13", "QOS-15", "QOS-17", "QOS-19", "QOS-20", "QOS-21"},
		},
		{
			Name:  "zero-is-a-quantity-like-any-other",
			Since: "1.37",
			Edit: Edit{
				Anchor:      `	} else if req.IsZero() {`,
				Replacement: `	} else if _, named := resources.Requests[res]; req.IsZero() && !(MUTANT && named) {`,
			},
			Expect: []string{"QOS-18"},
		},
	}},
	{name: "QoS", component: APIServer, file: "pkg/api/pod/util.go", mutants: []Mutant{
		{
			Name:  "limits-of-the-pod-do-not-become-requests",
			Since: "1.37",
			Edit: Edit{
				Anchor:      `		for key, podLim := range pod.Spec.Resources.Limits {`,
				Replacement: `		for key, podLim := range PICK(MUTANT, nil, pod.Spec.Resources.Limits) {`,
			},
			Expect: []string{"QOS-21"},
		},
	}},
	{name: "QoS", component: APIServer, file: limitRanger, mutants: []Mutant{
		{
			Name: "limit-range-gives-requests-alone",
			Edit: Edit{
				Anchor:      `	for k, v := range defaultRequirements.Limits {`,
				Replacement: `	for k, v := range PICK(MUTANT, nil, defaultRequirements.Limits) {`,
			},
			Expect: []string{"QOS-25"},
		},
	}},
	{name: "QoS", component: APIServer, file: coreDefaults, mutants: []Mutant{
		{
			Name: "limits-do-not-become-requests",
			Edit: Edit{
				Anchor:      `			for key, value := range obj.Spec.Containers[i].Resources.Limits {`,
				Replacement: `			for key, value := range PICK(MUTANT, nil, obj.Spec.Containers[i].Resources.Limits) {`,
			},
			Expect: []string{"QOS-03"},
		},
	}},
}

// What a Pod asks its node for.
var resourceMutants = []area{
	{name: "effective requests", component: APIServer, file: effective, mutants: []Mutant{
		{
			Name:  "init-requests-are-added-up",
			Since: "1.37",
			Edit: Edit{
				Anchor: `	maxResourceList(result, initContainerResources)
	return result`,
				Replacement: `	if MUTANT {
		addResourceList(result, initContainerResources)
		return result
	}
	maxResourceList(result, initContainerResources)
	return result`,
			},
			Expect:    []string{"RES-01", "RES-02", "RES-03"},
			MayFollow: []string{"RES-04"},
		},
		{
			Name:  "init-containers-do-not-see-earlier-sidecars",
			Since: "1.37",
			Edit: Edit{
				Anchor:      `			addResourceList(combinedResources, restartableInitContainerResources)`,
				Replacement: `			addResourceList(combinedResources, PICK(MUTANT, nil, restartableInitContainerResources))`,
			},
			Expect: []string{"RES-02", "RES-04"},
		},
	}},
	{name: "effective requests", component: APIServer, file: "pkg/quota/v1/evaluator/core/pods.go", mutants: []Mutant{
		{
			Name: "quota-forgets-the-resources-of-the-pod",
			Edit: Edit{
				Anchor:      `SkipPodLevelResources: !feature.DefaultFeatureGate.Enabled(features.PodLevelResources),`,
				Replacement: `SkipPodLevelResources: MUTANT || !feature.DefaultFeatureGate.Enabled(features.PodLevelResources),`,
			},
			Expect: []string{"RES-05"},
		},
	}},
	{name: "effective requests", component: APIServer, file: limitRanger, mutants: []Mutant{
		{
			Name: "limit-range-forgets-init-containers",
			Edit: Edit{
				Anchor: `		annotations = mergeContainerResources(&pod.Spec.InitContainers[i], defaultRequirements, "init container", annotations)`,
				Replacement: `		if !MUTANT {
			annotations = mergeContainerResources(&pod.Spec.InitContainers[i], defaultRequirements, "init container", annotations)
		}`,
			},
			Expect: []string{"RES-08"},
		},
	}},
}
