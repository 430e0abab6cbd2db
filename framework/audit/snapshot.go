package audit

import (
	"cmp"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"rollcall.dev/rollcall/framework/exit"
)

// Snapshot is what was read of a cluster. It is not the cluster at one instant:
// each kind was listed on its own, the DaemonSets before all others and again
// after them.
type Snapshot struct {
	// At is when it was read; of files, the newest instant that they tell of.
	At time.Time
	// Namespace is the only one that was read, empty for all.
	Namespace string
	// Before and After are the two readings of the DaemonSets. Once says that
	// there was only one, so that no change can be seen.
	Before, After []*appsv1.DaemonSet
	Once          bool
	Nodes         []*corev1.Node

	pods    map[owner][]Pod
	foreign string // a Pod that is not in the namespace
	events  map[types.UID][]event
	newest  map[types.UID]revision
}

// owner is how a Pod names the DaemonSet that controls it.
type owner struct {
	Name string
	UID  types.UID
}

// revision is a ControllerRevision, as far as it matters.
type revision struct {
	number int64
	hash   string
}

func newSnapshot(namespace string) *Snapshot {
	return &Snapshot{Namespace: namespace, pods: map[owner][]Pod{}, events: map[types.UID][]event{}, newest: map[types.UID]revision{}}
}

func ownerOf(daemonSet *appsv1.DaemonSet) owner { return owner{daemonSet.Name, daemonSet.UID} }

// podsOf returns the Pods that a DaemonSet controls, in the order in which they
// were read. A Pod without a UID, or two with the same one, are a refusal.
func (s *Snapshot) podsOf(daemonSet *appsv1.DaemonSet) ([]Pod, error) {
	pods := s.pods[ownerOf(daemonSet)]
	seen := make(map[types.UID]bool, len(pods))
	for _, pod := range pods {
		if pod.UID == "" || seen[pod.UID] {
			return nil, exit.Environmentf("missing or duplicate Pod UID: Pod %s, UID %q", pod.Name, pod.UID)
		}
		seen[pod.UID] = true
	}
	return pods, nil
}

// newestRevision returns the hash of a DaemonSet's newest ControllerRevision,
// empty if none was read.
func (s *Snapshot) newestRevision(daemonSet types.UID) string { return s.newest[daemonSet].hash }

func (s *Snapshot) addRevision(r *appsv1.ControllerRevision) {
	controller := metav1.GetControllerOfNoCopy(r)
	if controller == nil {
		return
	}
	if known := s.newest[controller.UID]; r.Revision > known.number {
		s.newest[controller.UID] = revision{r.Revision, r.Labels[appsv1.ControllerRevisionHashLabelKey]}
	}
}

// addPod keeps a Pod that a DaemonSet controls and forgets every other.
func (s *Snapshot) addPod(pod *corev1.Pod) {
	s.notePlace(pod.Namespace, pod.Name)
	if controller := metav1.GetControllerOfNoCopy(pod); controller != nil && isDaemonSet(controller) {
		of := owner{controller.Name, controller.UID}
		s.pods[of] = append(s.pods[of], reduce(pod))
	}
}

func isDaemonSet(ref *metav1.OwnerReference) bool {
	return ref.Kind == daemonSetKind.Kind && ref.APIVersion == daemonSetKind.GroupVersion().String()
}

// daemonSetKind is the only kind that an audit is about.
var daemonSetKind = appsv1.SchemeGroupVersion.WithKind("DaemonSet")

// notePlace remembers a Pod outside of the namespace that was asked for.
func (s *Snapshot) notePlace(namespace, name string) {
	if s.Namespace != "" && namespace != s.Namespace && s.foreign == "" {
		s.foreign = namespace + "/" + name
	}
}

// merge adds what was read after it.
func (s *Snapshot) merge(more *Snapshot) {
	s.Before, s.After = append(s.Before, more.Before...), append(s.After, more.After...)
	s.Nodes = append(s.Nodes, more.Nodes...)
	for of, pods := range more.pods {
		if s.pods[of] == nil {
			s.pods[of] = pods
		} else {
			s.pods[of] = append(s.pods[of], pods...)
		}
	}
	for about, events := range more.events {
		s.events[about] = append(s.events[about], events...)
	}
	for of, revision := range more.newest {
		if revision.number > s.newest[of].number {
			s.newest[of] = revision
		}
	}
	s.foreign = cmp.Or(s.foreign, more.foreign)
	s.tick(more.At)
}

// tick moves a snapshot's instant forward.
func (s *Snapshot) tick(at time.Time) {
	if at.After(s.At) {
		s.At = at
	}
}

// nodesByName indexes the nodes. Two of the same name are a refusal.
func (s *Snapshot) nodesByName() (map[string]*corev1.Node, error) {
	nodes := make(map[string]*corev1.Node, len(s.Nodes))
	for _, node := range s.Nodes {
		if nodes[node.Name] != nil {
			return nil, exit.Environmentf("duplicate node names: %s", node.Name)
		}
		nodes[node.Name] = node
	}
	return nodes, nil
}

// daemonSet returns the DaemonSet of that name, as it was before all else was
// read. It must be the same one, of the same generation, in both readings.
func (s *Snapshot) daemonSet(namespace, name string) (*appsv1.DaemonSet, error) {
	what := "DaemonSet " + namespace + "/" + name
	is := func(d *appsv1.DaemonSet) bool { return d.Namespace == namespace && d.Name == name }
	first := slices.IndexFunc(s.Before, is)
	if first < 0 {
		return nil, exit.Environmentf("there is no %s", what)
	}
	before := s.Before[first]
	if err := unfit(before); err != nil {
		return nil, err
	}
	if s.Once {
		return before, nil
	}
	second := slices.IndexFunc(s.After, is)
	if second < 0 {
		return nil, exit.Environmentf("%s was deleted during collection", what)
	}
	after := s.After[second]
	if err := unfit(after); err != nil {
		return nil, err
	}
	if before.UID != after.UID || before.Generation != after.Generation {
		return nil, exit.Environmentf("%s changed during collection (generation %d became %d); retry", what, before.Generation, after.Generation)
	}
	return before, nil
}

// unfit says why a DaemonSet cannot be audited.
func unfit(d *appsv1.DaemonSet) error {
	switch {
	case d.UID == "":
		return exit.Environmentf("DaemonSet %s/%s has no UID", d.Namespace, d.Name)
	case d.DeletionTimestamp != nil:
		return exit.Environmentf("DaemonSet %s/%s is being deleted", d.Namespace, d.Name)
	default:
		return nil
	}
}
