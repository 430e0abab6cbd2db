package audit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"rollcall.dev/rollcall/framework/judge"
)

// ailments returns what a Pod itself tells of why it is not Ready, the first to
// mend first. It says nothing of time: whether a Pod is late, the audit knows.
func ailments(pod *corev1.Pod) []Cause {
	var found []Cause
	switch {
	case judge.Terminating(pod):
		found = append(found, terminating(pod))
	case judge.Finished(pod):
		found = append(found, finished(pod))
	case pod.Spec.NodeName == "":
		found = append(found, unscheduled(pod))
	default:
		found = unready(pod)
	}
	for i := range found {
		found[i].Pod = pod.Name
	}
	return found
}

func terminating(pod *corev1.Pod) Cause {
	c := Cause{
		Kind: Terminating, Legal: true, Summary: "its Pod is terminating",
		Next: "Nothing, while its grace period lasts: a new Pod takes its place then.",
	}
	c = c.seen("it has to be gone by " + stamp(pod.DeletionTimestamp.Time))
	if len(pod.Finalizers) > 0 {
		c = c.seen("finalizers: " + strings.Join(pod.Finalizers, ", "))
	}
	return c
}

func finished(pod *corev1.Pod) Cause {
	why := sentence(pod.Status.Reason, pod.Status.Message)
	c := Cause{Kind: PodFailed, Summary: "its Pod is " + string(pod.Status.Phase) + ": " + cmp.Or(why, "no reason is given")}
	c.Next = "The controller deletes a failed Pod and makes another. If that fails too, read the kubelet's reason: it does not admit the Pod, or evicts it."
	for _, status := range pod.Status.ContainerStatuses {
		c = c.seen(judge.DescribeContainer(status))
	}
	return c
}

func unscheduled(pod *corev1.Pod) Cause {
	condition := judge.PodCondition(pod, corev1.PodScheduled)
	if condition == nil || condition.Status == corev1.ConditionTrue {
		return Cause{
			Kind: Unschedulable, Summary: "its Pod is Pending and no scheduler has looked at it",
			Evidence: []string{"schedulerName is " + cmp.Or(pod.Spec.SchedulerName, corev1.DefaultSchedulerName)},
			Next:     "See that the scheduler which the template names is running.",
		}
	}
	return Cause{
		Kind: Unschedulable, Summary: "its Pod is Pending: " + sentence(condition.Reason, schedulerReason(condition.Message)),
		Evidence: []string{"condition PodScheduled is " + string(condition.Status) + " since " + stamp(condition.LastTransitionTime.Time) + ": " + oneLine(condition.Message)},
		Next:     afterScheduler(pod, condition.Message),
	}
}

// schedulerReason is the part of the scheduler's message that is about the node
// that a DaemonSet's Pod is aimed at. All others fail for just that reason.
func schedulerReason(message string) string {
	message, _, _ = strings.Cut(oneLine(message), " preemption:")
	_, reasons, many := strings.Cut(message, "nodes are available: ")
	if !many {
		return message
	}
	parts := strings.Split(strings.TrimSuffix(reasons, "."), ", ")
	own := slices.DeleteFunc(parts, func(part string) bool {
		return strings.Contains(part, "didn't satisfy plugin(s) [NodeAffinity]") || strings.Contains(part, "didn't match Pod's node affinity")
	})
	if len(own) == 0 {
		return message
	}
	return strings.Join(own, ", ")
}

// isFull reports whether the scheduler finds no room on the node.
func isFull(causes []Cause) bool {
	return slices.ContainsFunc(causes, func(c Cause) bool { return c.Kind == Unschedulable && noRoom(c.Summary) })
}

func noRoom(message string) bool {
	return strings.Contains(message, "Insufficient") || strings.Contains(message, "Too many pods")
}

func afterScheduler(pod *corev1.Pod, message string) string {
	switch {
	case noRoom(message):
		next := "Lower the Pod's requests to what it needs, or free the node of other Pods."
		if pod.Spec.PriorityClassName == "" {
			next += " The template has no priorityClassName: one above that of ordinary workloads lets the Pod take their place."
		}
		return next
	case strings.Contains(message, "free ports"):
		return "Another Pod of the node holds the Pod's hostPort: give one of them another port."
	case strings.Contains(message, "untolerated taint"):
		return "Tolerate just that taint, by key and effect, if the Pod belongs on such nodes."
	case strings.Contains(message, "volume"):
		return "See whether the Pod's volume can be reached from that node."
	default:
		return "Read the scheduler's reason above; kubectl describe shows the Pod's Events."
	}
}

// unready is about a Pod that has a node and is neither finished nor asked to go.
func unready(pod *corev1.Pod) []Cause {
	for _, container := range pod.Spec.InitContainers {
		if cause, ok := initAilment(pod, container); ok {
			return []Cause{cause}
		}
	}
	var found []Cause
	for _, container := range pod.Spec.Containers {
		if cause, ok := containerAilment(pod, container); ok {
			found = append(found, cause)
		}
	}
	if len(found) > 0 {
		slices.SortStableFunc(found, func(a, b Cause) int { return cmp.Compare(gravity(a.Kind), gravity(b.Kind)) })
		return found
	}
	return []Cause{gates(pod)}
}

// gravity orders what can be wrong with containers, the first to mend first.
func gravity(kind Kind) int {
	return slices.Index([]Kind{ImagePull, CrashLoop, NotStarted, NotReady}, kind)
}

// initAilment is about an init container that the Pod has not got past.
func initAilment(pod *corev1.Pod, container corev1.Container) (Cause, bool) {
	status := statusOf(pod.Status.InitContainerStatuses, container.Name)
	if isSidecar(container) {
		if status == nil || status.Started != nil && *status.Started {
			return Cause{}, false
		}
		return containerAilment(pod, container)
	}
	if status == nil {
		return notStarted("init container "+container.Name, "", ""), true
	}
	if status.State.Terminated != nil && status.State.Terminated.ExitCode == 0 {
		return Cause{}, false
	}
	if ended := lastEnd(*status); ended != nil {
		return Cause{
			Kind: InitFailing, Summary: fmt.Sprintf("init container %s fails with exit code %d%s", container.Name, ended.ExitCode, why(ended)),
			Evidence: endEvidence(*status, ended),
			Next:     fmt.Sprintf("Read what it says: kubectl -n %s logs %s -c %s --previous. The Pod's other containers wait for it.", pod.Namespace, pod.Name, container.Name),
		}, true
	}
	if waiting := status.State.Waiting; waiting != nil {
		return waitingAilment("init container "+container.Name, container, *waiting), true
	}
	return Cause{
		Kind: NotStarted, Summary: "init container " + container.Name + " is still running",
		Evidence: []string{judge.DescribeContainer(*status)},
		Next:     fmt.Sprintf("See what it waits for: kubectl -n %s logs %s -c %s.", pod.Namespace, pod.Name, container.Name),
	}, true
}

func isSidecar(container corev1.Container) bool {
	return container.RestartPolicy != nil && *container.RestartPolicy == corev1.ContainerRestartPolicyAlways
}

// containerAilment is about a container that is not Ready.
func containerAilment(pod *corev1.Pod, container corev1.Container) (Cause, bool) {
	status := statusOf(slices.Concat(pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses), container.Name)
	switch {
	case status == nil:
		return notStarted("container "+container.Name, "", ""), true
	case status.Ready:
		return Cause{}, false
	case status.State.Running != nil:
		return probeAilment(container, *status), true
	case status.State.Waiting != nil && status.State.Waiting.Reason != "CrashLoopBackOff":
		return waitingAilment("container "+container.Name, container, *status.State.Waiting), true
	}
	ended := lastEnd(*status)
	if ended == nil {
		return notStarted("container "+container.Name, "", ""), true
	}
	return Cause{
		Kind: CrashLoop, Summary: fmt.Sprintf("container %s ends again and again, last with exit code %d%s", container.Name, ended.ExitCode, why(ended)),
		Evidence: endEvidence(*status, ended),
		Next:     afterCrash(pod, container, ended),
	}, true
}

func afterCrash(pod *corev1.Pod, container corev1.Container, ended *corev1.ContainerStateTerminated) string {
	next := fmt.Sprintf("Read what it says: kubectl -n %s logs %s -c %s --previous.", pod.Namespace, pod.Name, container.Name)
	switch {
	case ended.Reason == "OOMKilled":
		next = "It needs more memory than its limit gives it: see what it uses before you raise the limit. " + next
	case ended.ExitCode == 0:
		next = "It ends without an error, and a DaemonSet's container must go on for ever. " + next
	case container.LivenessProbe != nil && (ended.ExitCode == 137 || ended.ExitCode == 143):
		next = "It was killed, perhaps by its livenessProbe: look for the event Unhealthy. " + next
	}
	return next + " If all of them are of the newest version, roll back."
}

// lastEnd is how a container last ended.
func lastEnd(status corev1.ContainerStatus) *corev1.ContainerStateTerminated {
	return cmp.Or(status.State.Terminated, status.LastTerminationState.Terminated)
}

func why(ended *corev1.ContainerStateTerminated) string {
	if ended.Reason == "" || ended.Reason == "Error" || ended.Reason == "Completed" {
		return ""
	}
	return " (" + ended.Reason + ")"
}

func endEvidence(status corev1.ContainerStatus, ended *corev1.ContainerStateTerminated) []string {
	evidence := []string{judge.DescribeContainer(status)}
	if message := oneLine(ended.Message); message != "" {
		evidence = append(evidence, "its termination message: "+message)
	}
	if !ended.FinishedAt.IsZero() {
		evidence = append(evidence, "it last ended at "+stamp(ended.FinishedAt.Time))
	}
	return evidence
}

// noImage holds the reasons of a container that waits for its image in vain.
var noImage = []string{"ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull", "ImageInspectError", "RegistryUnavailable", "SignatureValidationFailed"}

func waitingAilment(what string, container corev1.Container, waiting corev1.ContainerStateWaiting) Cause {
	if !slices.Contains(noImage, waiting.Reason) {
		return notStarted(what, waiting.Reason, waiting.Message)
	}
	return Cause{
		Kind: ImagePull, Summary: fmt.Sprintf("the image %s of %s is not there: %s", container.Image, what, waiting.Reason),
		Evidence: some(oneLine(waiting.Message)),
		Next:     "See that the image's name and tag are right, that the node reaches its registry, that the pull secret is valid, and that the image is there for the node's architecture.",
	}
}

func notStarted(what, reason, message string) Cause {
	c := Cause{
		Kind: NotStarted, Summary: what + " has not started", Evidence: some(oneLine(message)),
		Next: "See the Pod's Events: a volume that cannot be mounted, a Secret or ConfigMap that is not there, or a network that gives no address.",
	}
	if reason != "" {
		c.Summary += ": " + reason
	}
	return c
}

// probeAilment is about a container that runs and is not Ready.
func probeAilment(container corev1.Container, status corev1.ContainerStatus) Cause {
	c := Cause{Kind: NotReady, Evidence: []string{judge.DescribeContainer(status)}}
	started := status.Started == nil || *status.Started
	switch {
	case !started && container.StartupProbe != nil:
		c.Summary = fmt.Sprintf("container %s runs, and its startupProbe has not succeeded (%s)", container.Name, describeProbe(container.StartupProbe))
		c.Next = "See why the probe fails, or allow it more time with failureThreshold."
	case container.ReadinessProbe != nil:
		c.Summary = fmt.Sprintf("container %s runs, and its readinessProbe fails (%s)", container.Name, describeProbe(container.ReadinessProbe))
		c.Next = "Ask what the probe asks, from within the Pod: the answer is the container's own reason not to be Ready."
	default:
		c.Summary = fmt.Sprintf("container %s runs and is not Ready", container.Name)
		c.Next = "It has no readinessProbe, so this should pass in a moment; if it does not, look at the kubelet of the node."
	}
	return c
}

func describeProbe(probe *corev1.Probe) string {
	switch {
	case probe.HTTPGet != nil:
		return fmt.Sprintf("httpGet %s port %s", cmp.Or(probe.HTTPGet.Path, "/"), probe.HTTPGet.Port.String())
	case probe.TCPSocket != nil:
		return "tcpSocket port " + probe.TCPSocket.Port.String()
	case probe.GRPC != nil:
		return fmt.Sprintf("grpc port %d", probe.GRPC.Port)
	case probe.Exec != nil:
		return "exec " + strings.Join(probe.Exec.Command, " ")
	default:
		return "no handler"
	}
}

// gates is about a Pod whose containers are all Ready and which is not.
func gates(pod *corev1.Pod) Cause {
	for _, gate := range pod.Spec.ReadinessGates {
		condition := judge.PodCondition(pod, gate.ConditionType)
		if condition == nil || condition.Status != corev1.ConditionTrue {
			return Cause{
				Kind: NotReady, Summary: fmt.Sprintf("its readinessGate %s is not met", gate.ConditionType),
				Evidence: []string{describeCondition(gate.ConditionType, condition)},
				Next:     "Look at the controller that sets this condition.",
			}
		}
	}
	return Cause{
		Kind: NotReady, Summary: "its containers are Ready and the Pod is not",
		Evidence: []string{describeCondition(corev1.PodReady, judge.PodCondition(pod, corev1.PodReady))},
		Next:     "The kubelet of its node, or the node controller for it, sets the condition Ready: look at the node.",
	}
}

func describeCondition(kind corev1.PodConditionType, condition *corev1.PodCondition) string {
	if condition == nil {
		return fmt.Sprintf("there is no condition %s", kind)
	}
	return fmt.Sprintf("condition %s is %s since %s: %s", kind, condition.Status, stamp(condition.LastTransitionTime.Time), cmp.Or(sentence(condition.Reason, condition.Message), "no reason is given"))
}

func statusOf(statuses []corev1.ContainerStatus, name string) *corev1.ContainerStatus {
	for i := range statuses {
		if statuses[i].Name == name {
			return &statuses[i]
		}
	}
	return nil
}

func stamp(at time.Time) string { return at.UTC().Format(time.RFC3339) }

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func sentence(reason, message string) string {
	message = oneLine(message)
	if reason == "" || message == "" {
		return reason + message
	}
	return reason + ": " + message
}

// some is a list of the texts that are not empty.
func some(texts ...string) []string {
	return slices.DeleteFunc(texts, func(text string) bool { return text == "" })
}
