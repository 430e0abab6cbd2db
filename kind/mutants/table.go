package mutants

// table holds every mutant, those of a component together: between two of them
// the component is restarted once.
var table = []Mutant{
	{
		Name:      "forgets-disk-pressure-toleration",
		Component: ControllerManager,
		Edit: Edit{
			File: "pkg/controller/daemon/util/daemonset_util.go",
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
		Run:    []string{"tolerations"},
	},
	{
		// The rule for sidecars, which need only have started, taken for all: the
		// app starts as soon as the last init container runs.
		Name:      "app-does-not-wait-for-init",
		Component: Kubelet,
		Edit: Edit{
			File:   "pkg/kubelet/kuberuntime/kuberuntime_container.go",
			Anchor: `			if !podutil.IsRestartableInitContainer(container) {`,
			Replacement: `			if !podutil.IsRestartableInitContainer(container) {
				if MUTANT && i == len(pod.Spec.InitContainers)-1 {
					podHasInitialized = true
				}`,
		},
		Expect: []string{"INI-02"},
		// A kubelet takes a running app for the proof that the Pod is initialized,
		// and the order on every node of a DaemonSet includes that the app waits.
		// The others have a short last init container that fails: if it is seen
		// while it runs, the app starts, and it is not tried again.
		MayFollow: []string{"INI-03", "INI-20", "INI-07", "INI-09", "INI-11"},
		Run:       []string{"initcontainers"},
	},
	{
		Name:      "puts-toleration-seconds-back",
		Component: Admission,
		Saboteur: &Saboteur{
			Resource:  "pods",
			Condition: `has(object.metadata.ownerReferences) && object.metadata.ownerReferences.exists(o, o.kind == "DaemonSet")`,
			// An index is needed for the path, and tolerations may be absent.
			Patch: `object.spec.?tolerations.orValue([]).transformList(i, t,
				t.?effect.orValue("") == "NoExecute" && t.?key.orValue("") in ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"],
				JSONPatch{op: "add", path: "/spec/tolerations/" + string(i) + "/tolerationSeconds", value: 300})`,
			Probe: daemonSetPod,
			Shows: toleratesForSeconds,
		},
		Expect: []string{"TOL-05"},
		// The automatic tolerations, to the letter, include that they are unlimited.
		MayFollow: []string{"TOL-01"},
		Run:       []string{"tolerations"},
	},
}
