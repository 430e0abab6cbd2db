package mutants

const (
	runtimeContainers = "pkg/kubelet/kuberuntime/kuberuntime_container.go"
	runtimeManager    = "pkg/kubelet/kuberuntime/kuberuntime_manager.go"
	terminationOrder  = "pkg/kubelet/kuberuntime/kuberuntime_termination_order.go"
	kubeletPods       = "pkg/kubelet/kubelet_pods.go"
	kubeletStatus     = "pkg/kubelet/status/generate.go"
	emptyDirs         = "pkg/volume/emptydir/empty_dir.go"
	restartRules      = "pkg/api/v1/pod/util.go"
)

// How a kubelet starts a Pod.
var initMutants = []area{
	{name: "init order, retry, phase", component: Kubelet, file: runtimeContainers, mutants: []Mutant{
		{
			// The rule for sidecars, which need only have started, taken for all: the
			// app starts as soon as the last init container runs.
			Name: "app-does-not-wait-for-init",
			Edit: Edit{
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
		},
		{
			Name: "starts-the-next-init-container-beside-the-first",
			Edit: Edit{
				Anchor: `				if utilfeature.DefaultFeatureGate.Enabled(features.InPlacePodVerticalScalingInitContainers) {`,
				Replacement: `				if MUTANT && i < len(pod.Spec.InitContainers)-1 {
					changes.InitContainersToStart = append(changes.InitContainersToStart, i+1)
				}
				if utilfeature.DefaultFeatureGate.Enabled(features.InPlacePodVerticalScalingInitContainers) {`,
			},
			Expect:    []string{"INI-01", "INI-20"},
			MayFollow: []string{"INI-02"},
		},
		{
			Name: "takes-a-failed-init-container-for-done",
			Edit: Edit{
				Anchor:      `				if isInitContainerFailed(status) {`,
				Replacement: `				if isInitContainerFailed(status) && !MUTANT {`,
			},
			Expect:    []string{"INI-04", "INI-05", "INI-07"},
			MayFollow: []string{"INI-02", "INI-06"},
		},
		{
			Name: "loses-the-exit-code",
			Edit: Edit{
				Anchor:      `		cStatus.ExitCode = int(status.ExitCode)`,
				Replacement: `		cStatus.ExitCode = PICK(MUTANT && status.ExitCode != 0, 1, int(status.ExitCode))`,
			},
			Expect: []string{"INI-09"},
		},
	}},
	{name: "init order, retry, phase", component: Kubelet, file: runtimeManager, mutants: []Mutant{
		{
			Name: "does-not-back-off",
			Edit: Edit{
				Anchor:      `	if backOff.IsInBackOffSince(key, ts) {`,
				Replacement: `	if backOff.IsInBackOffSince(key, ts) && !MUTANT {`,
			},
			Expect: []string{"INI-08"},
		},
		{
			Name: "runs-init-again-when-the-app-is-restarted",
			Edit: Edit{
				Anchor: `				changes.ContainersToStart = append(changes.ContainersToStart, idx)
				if containerStatus != nil && containerStatus.State == kubecontainer.ContainerStateUnknown {`,
				Replacement: `				if MUTANT && containerStatus != nil && len(pod.Spec.InitContainers) > 0 && len(changes.InitContainersToStart) == 0 {
					changes.InitContainersToStart = []int{0}
				}
				changes.ContainersToStart = append(changes.ContainersToStart, idx)
				if containerStatus != nil && containerStatus.State == kubecontainer.ContainerStateUnknown {`,
			},
			Expect: []string{"INI-12"},
		},
		{
			Name: "does-not-initialize-again-in-a-new-sandbox",
			Edit: Edit{
				Anchor:      `		if len(pod.Spec.InitContainers) != 0 {`,
				Replacement: `		if len(pod.Spec.InitContainers) != 0 && !(MUTANT && HasAnyRegularContainerCreated(pod, podStatus)) {`,
			},
			Expect: []string{"INI-13", "SID-09"},
		},
		{
			Name: "restarts-the-app-for-a-new-image-of-an-init-container",
			Edit: Edit{
				Anchor: `		if _, _, changed := containerChanged(&container, containerStatus); changed {`,
				Replacement: `		initChanged := false
		for i := range pod.Spec.InitContainers {
			if status := podStatus.FindContainerStatusByName(pod.Spec.InitContainers[i].Name); MUTANT && status != nil {
				_, _, changed := containerChanged(&pod.Spec.InitContainers[i], status)
				initChanged = initChanged || changed
			}
		}
		if _, _, changed := containerChanged(&container, containerStatus); changed || initChanged {`,
			},
			Expect: []string{"INI-14"},
		},
	}},
	{name: "init order, retry, phase", component: Kubelet, file: kubeletPods, mutants: []Mutant{
		{
			Name: "a-pod-that-cannot-initialize-stays-pending",
			Edit: Edit{
				Anchor:      `		if failedInitializationNotRestartable > 0 {`,
				Replacement: `		if failedInitializationNotRestartable > 0 && !MUTANT {`,
			},
			Expect: []string{"INI-06"},
		},
		{
			Name: "gives-every-container-the-environment-of-the-first-app",
			Edit: Edit{
				Anchor:      `	for _, envVar := range container.Env {`,
				Replacement: `	for _, envVar := range PICK(MUTANT, pod.Spec.Containers[0].Env, container.Env) {`,
			},
			Expect: []string{"INI-17"},
		},
		{
			// Of the volumes that the kubelet makes, only an emptyDir can be written to.
			Name: "gives-each-container-a-folder-of-its-own-in-an-empty-dir",
			Edit: Edit{
				Anchor: `		subPath := mount.SubPath`,
				Replacement: `		attributes := vol.Mounter.GetAttributes()
		subPath := PICK(MUTANT && attributes.Managed && !attributes.ReadOnly && mount.SubPath == "", container.Name, mount.SubPath)`,
			},
			Expect: []string{"INI-10"},
		},
	}},
	{name: "init order, retry, phase", component: Kubelet, file: emptyDirs, mutants: []Mutant{
		{
			// What removes the files knows no more of the Pod than its UID, and finds
			// nothing there.
			Name: "names-an-empty-dir-for-the-name-of-the-pod",
			Edit: Edit{
				Anchor: `	return getPath(ed.pod.UID, ed.volName, ed.plugin.host)`,
				Replacement: `	if MUTANT && ed.pod.Name != "" {
		return getPath(types.UID(ed.pod.Namespace+"_"+ed.pod.Name), ed.volName, ed.plugin.host)
	}
	return getPath(ed.pod.UID, ed.volName, ed.plugin.host)`,
			},
			Expect: []string{"INI-11"},
		},
	}},
	{name: "init order, retry, phase", component: Kubelet, file: kubeletStatus, mutants: []Mutant{
		{
			Name: "says-initialized-too-early",
			Edit: Edit{
				Anchor:      `		if !isInitContainerInitialized(&container, &containerStatus) {`,
				Replacement: `		if !isInitContainerInitialized(&container, &containerStatus) && !MUTANT {`,
			},
			Expect:    []string{"INI-03"},
			MayFollow: []string{"INI-20"},
		},
	}},
	{name: "init order, retry, phase", component: Kubelet, file: "pkg/kubelet/active_deadline.go", mutants: []Mutant{
		{
			// The clock starts with the app.
			Name: "deadline-leaves-out-init-containers",
			Edit: Edit{
				Anchor:      `	if podStatus.StartTime.IsZero() {`,
				Replacement: `	if podStatus.StartTime.IsZero() || MUTANT && podStatus.Phase == v1.PodPending {`,
			},
			Expect: []string{"INI-16"},
		},
	}},
}

// What a kubelet does with sidecars.
var sidecarMutants = []area{
	{name: "sidecar order and termination", component: Kubelet, file: runtimeContainers, mutants: []Mutant{
		{
			Name: "does-not-wait-for-the-startup-probe-of-a-sidecar",
			Edit: Edit{
				Anchor:      `					if startup != proberesults.Success {`,
				Replacement: `					if startup != proberesults.Success && !MUTANT {`,
			},
			Expect: []string{"SID-02"},
		},
		{
			// As if it had to end first.
			Name: "waits-for-the-end-of-a-sidecar",
			Edit: Edit{
				Anchor:      `				} else if !isPreviouslyInitialized {`,
				Replacement: `				} else if !isPreviouslyInitialized && !MUTANT {`,
			},
			Expect: []string{"SID-01"},
		},
		{
			Name: "does-not-restart-sidecars",
			Edit: Edit{
				Anchor: `			if podutil.IsRestartableInitContainer(container) {
				changes.InitContainersToStart = append(changes.InitContainersToStart, i)`,
				Replacement: `			if podutil.IsRestartableInitContainer(container) {
				if !MUTANT {
					changes.InitContainersToStart = append(changes.InitContainersToStart, i)
				}`,
			},
			Expect: []string{"SID-04"},
		},
		{
			Name: "restarts-sidecars-together-with-a-crashed-app",
			Edit: Edit{
				Anchor: `				if _, _, changed := containerChanged(container, status); changed {`,
				Replacement: `				crashed := false
				for j := range pod.Spec.Containers {
					app := podStatus.FindContainerStatusByName(pod.Spec.Containers[j].Name)
					crashed = crashed || app != nil && app.State == kubecontainer.ContainerStateExited && app.ExitCode != 0
				}
				if _, _, changed := containerChanged(container, status); changed || MUTANT && crashed {`,
			},
			Expect: []string{"SID-04b"},
		},
		{
			Name: "restarts-sidecars-together-with-a-later-init-container",
			Edit: Edit{
				Anchor: `				// A restartable init container does not have to take into account its`,
				Replacement: `				if MUTANT && isPreviouslyInitialized && len(changes.InitContainersToStart) > 0 {
					changes.ContainersToKill[status.ID] = containerToKillInfo{
						name:      container.Name,
						container: container,
						message:   fmt.Sprintf("Init container %s starts again with those after it", container.Name),
					}
					changes.InitContainersToStart = append(changes.InitContainersToStart, i)
					break
				}
				// A restartable init container does not have to take into account its`,
			},
			Expect: []string{"SID-07"},
		},
	}},
	{name: "sidecar order and termination", component: Kubelet, file: runtimeManager, mutants: []Mutant{
		{
			Name: "a-running-sidecar-keeps-the-pod-alive",
			Edit: Edit{
				Anchor:      `	if keepCount == 0 && len(changes.ContainersToStart) == 0 {`,
				Replacement: `	if keepCount == 0 && len(changes.ContainersToStart) == 0 && !MUTANT {`,
			},
			Expect: []string{"SID-05"},
		},
	}},
	{name: "sidecar order and termination", component: Kubelet, file: kubeletStatus, mutants: []Mutant{
		{
			Name: "readiness-leaves-out-sidecars",
			Edit: Edit{
				Anchor:      `		if !podutil.IsRestartableInitContainer(&container) {`,
				Replacement: `		if MUTANT || !podutil.IsRestartableInitContainer(&container) {`,
			},
			Expect: []string{"SID-03"},
		},
	}},
	{name: "sidecar order and termination", component: Kubelet, file: restartRules, mutants: []Mutant{
		{
			Name: "knows-no-restart-rules-of-a-container",
			Edit: Edit{
				Anchor: `		rule, ok := FindMatchingContainerRestartRule(container, exitCode)
		if ok {`,
				Replacement: `		rule, ok := FindMatchingContainerRestartRule(container, exitCode)
		if ok && !MUTANT {`,
			},
			Expect: []string{"SID-10"},
		},
	}},
	{name: "sidecar order and termination", component: Kubelet, file: terminationOrder, mutants: []Mutant{
		{
			Name: "ends-sidecars-together-with-the-app",
			Edit: Edit{
				Anchor: `			to.prereqs[ic.Name] = append(to.prereqs[ic.Name], mainContainerChannels...)`,
				Replacement: `			if !MUTANT {
				to.prereqs[ic.Name] = append(to.prereqs[ic.Name], mainContainerChannels...)
			}`,
			},
			Expect: []string{"SID-06"},
		},
		{
			Name: "ends-sidecars-in-any-order",
			Edit: Edit{
				Anchor:      `			if previousSidecarName != "" {`,
				Replacement: `			if previousSidecarName != "" && !MUTANT {`,
			},
			Expect: []string{"SID-06"},
		},
		{
			// The wait is longer than the time limit and yet has an end: no later request
			// cuts it short, and the Pod would keep its namespace for its grace period.
			Name: "waits-for-the-end-of-a-sidecar-that-never-started",
			Edit: Edit{
				Anchor: `		if _, isRunning := runningContainers[ic.Name]; !isRunning {
			close(channel)`,
				Replacement: `		if _, isRunning := runningContainers[ic.Name]; !isRunning && MUTANT {
			time.AfterFunc(3*time.Minute, func() { close(channel) })
		} else if !isRunning {
			close(channel)`,
			},
			Expect: []string{"SID-06b"},
		},
	}},
}

// How a kubelet ends a Pod.
var endingMutants = []area{
	{name: "grace period, preStop", component: Kubelet, file: runtimeContainers, mutants: []Mutant{
		{
			Name: "does-not-run-pre-stop",
			Edit: Edit{
				Anchor:      `	if containerSpec.Lifecycle != nil && containerSpec.Lifecycle.PreStop != nil && gracePeriod > 0 {`,
				Replacement: `	if !MUTANT && containerSpec.Lifecycle != nil && containerSpec.Lifecycle.PreStop != nil && gracePeriod > 0 {`,
			},
			Expect: []string{"TERM-03"},
		},
		{
			// Nobody adds up what preStop took.
			Name: "pre-stop-has-a-grace-period-of-its-own",
			Edit: Edit{
				Anchor:      `	return int64(metav1.Now().Sub(start.Time).Seconds())`,
				Replacement: `	return PICK(MUTANT, 0, int64(metav1.Now().Sub(start.Time).Seconds()))`,
			},
			Expect: []string{"TERM-03"},
		},
		{
			Name: "kills-at-once",
			Edit: Edit{
				Anchor: `	// always give containers a minimal shutdown window to avoid unnecessary SIGKILLs`,
				Replacement: `	if MUTANT {
		gracePeriod = 0
	}
	// always give containers a minimal shutdown window to avoid unnecessary SIGKILLs`,
			},
			Expect:    []string{"TERM-02"},
			MayFollow: []string{"TERM-03", "TERM-06"},
		},
		{
			// Above, the least time that a container is given is still granted, and some
			// end within it.
			Name: "asks-no-container-to-end",
			Edit: Edit{
				Anchor:      `	err := m.runtimeService.StopContainer(ctx, containerID.ID, gracePeriod)`,
				Replacement: `	err := m.runtimeService.StopContainer(ctx, containerID.ID, PICK(MUTANT, 0, gracePeriod))`,
			},
			Expect: []string{"TERM-06"},
		},
	}},
	{name: "grace period, preStop", component: Kubelet, file: kubeletPods, mutants: []Mutant{
		{
			// A Pod that is deleted is as good as one whose containers come back.
			Name: "deleted-pods-end-in-no-phase",
			Edit: Edit{
				Anchor: `		if podIsTerminal {
			// TODO(#116484)`,
				Replacement: `		if podIsTerminal && !MUTANT {
			// TODO(#116484)`,
			},
			Expect: []string{"TERM-05"},
		},
	}},
}
