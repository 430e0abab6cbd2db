package audit

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"rollcall.dev/rollcall/framework/audit/scan"
	"rollcall.dev/rollcall/framework/exit"
)

// Load reads the snapshot that a folder holds: every *.json file that kubectl get
// -o json wrote, lists or single objects, of any kinds. DaemonSets in a file
// whose name ends in "after.json" are the second reading; without one, there was
// only one reading. namespace is the only one that may be there, unless it is
// empty.
//
// A folder that is not there is an exit.UsageError; one that holds no snapshot, or
// one that contradicts itself, is an exit.EnvironmentError.
func Load(folder, namespace string) (*Snapshot, error) {
	s, err := load(folder, namespace)
	switch {
	case err != nil:
		return nil, err
	case len(s.Before) == 0:
		return nil, exit.Environmentf("%s holds no DaemonSet: save them with kubectl get daemonsets -o json", folder)
	case len(s.Nodes) == 0:
		return nil, noNodes(folder)
	default:
		return s, nil
	}
}

// SpareMemory lets the process keep less garbage than Go does by itself, unless
// GOGC says how much: most of what is read of a large snapshot stays, and waiting
// until the heap has doubled would win little time.
func SpareMemory() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(50)
	}
}

func noNodes(folder string) error {
	return exit.Environmentf("%s holds no Node: save them with kubectl get nodes -o json", folder)
}

// load reads whatever a folder holds.
func load(folder, namespace string) (*Snapshot, error) {
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return nil, exit.Usagef("%s is no folder of saved objects", folder)
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return nil, exit.Usagef("%s: %w", folder, err)
	}
	slices.Sort(files)
	s := newSnapshot(namespace)
	s.Once = true
	for _, file := range files {
		if err := s.loadFile(file); err != nil {
			return nil, exit.Environmentf("%s: %w", file, err)
		}
	}
	return s, nil
}

// loadFile adds what one file holds.
func (s *Snapshot) loadFile(name string) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	parts, err := scan.Read(file, func(sc *scan.Scanner, of scan.Document, into *loader) error {
		if into.Snapshot == nil {
			into.Snapshot, into.names = newSnapshot(s.Namespace), map[string]string{}
		}
		return into.item(sc, of)
	})
	if err != nil {
		return err
	}
	second := strings.HasSuffix(name, "after.json")
	for _, part := range parts {
		if part.Snapshot == nil {
			continue
		}
		if second {
			s.Once = false
			part.After, part.Before = part.Before, nil
		}
		s.merge(part.Snapshot)
	}
	return nil
}

// loader reads items of one part of a file.
type loader struct {
	*Snapshot
	// names keeps one copy of each text that many Pods share.
	names map[string]string
	last  sighting
}

// item reads one object; kinds that an audit does not need are passed over.
func (l *loader) item(s *scan.Scanner, of scan.Document) error {
	kind, err := s.Peek("kind")
	if err != nil {
		return err
	}
	if kind == nil && of.Kind != "" {
		kind = []byte(strings.TrimSuffix(of.Kind, "List"))
	}
	if kind == nil && of.Single {
		return s.Skip() // no object of Kubernetes; a roster, perhaps
	}
	switch string(kind) {
	case "Pod":
		return l.pod(s)
	case "Node":
		return l.node(s)
	case "DaemonSet":
		return l.daemonSet(s)
	case "Event":
		return decode(s, func(e *corev1.Event) { l.addEvent(e) })
	case "ControllerRevision":
		return l.revision(s)
	case "":
		return errors.New("an item has no kind, and neither has its list")
	default:
		return s.Skip()
	}
}

// decode reads an object in full.
func decode[T any](s *scan.Scanner, take func(*T)) error {
	raw, err := s.Raw()
	if err != nil {
		return err
	}
	object := new(T)
	if err := json.Unmarshal(raw, object); err != nil {
		return err
	}
	take(object)
	return nil
}

func (l *loader) daemonSet(s *scan.Scanner) error {
	var wrong error
	err := decode(s, func(d *appsv1.DaemonSet) {
		if d.APIVersion != "" && d.APIVersion != daemonSetKind.GroupVersion().String() {
			wrong = fmt.Errorf("wrong resource type: DaemonSet %s is of %s", d.Name, d.APIVersion)
		}
		l.Before = append(l.Before, d)
	})
	return errors.Join(err, wrong)
}

func (l *loader) revision(s *scan.Scanner) error {
	// The data of a revision is a whole template, and not needed.
	r := &appsv1.ControllerRevision{}
	err := s.Object(func(key []byte) (err error) {
		switch string(key) {
		case "metadata":
			return decode(s, func(m *metav1.ObjectMeta) { r.ObjectMeta = *m })
		case "revision":
			r.Revision, err = s.Int()
			return err
		default:
			return s.Skip()
		}
	})
	l.addRevision(r)
	return err
}

// node reads of a Node what decides about Pods. Its list of images is longer than
// all the rest.
func (l *loader) node(s *scan.Scanner) error {
	node := &corev1.Node{}
	err := s.Object(func(key []byte) error {
		switch string(key) {
		case "metadata":
			return decode(s, func(m *metav1.ObjectMeta) { node.ObjectMeta = *m })
		case "spec":
			return decode(s, func(spec *corev1.NodeSpec) { node.Spec = *spec })
		case "status":
			return l.nodeStatus(s, node)
		default:
			return s.Skip()
		}
	})
	l.Nodes = append(l.Nodes, node)
	return err
}

func (l *loader) nodeStatus(s *scan.Scanner, node *corev1.Node) error {
	if !s.IsObject() {
		return s.Skip()
	}
	return s.Object(func(key []byte) error {
		switch string(key) {
		case "addresses":
			return decode(s, func(addresses *[]corev1.NodeAddress) { node.Status.Addresses = *addresses })
		case "conditions":
			return decode(s, func(conditions *[]corev1.NodeCondition) {
				node.Status.Conditions = *conditions
				for _, c := range *conditions {
					l.tick(c.LastHeartbeatTime.Time)
				}
			})
		default:
			return s.Skip()
		}
	})
}

// pod reads of a Pod that is Ready no more than a glance shows, for a large
// cluster has hundreds of thousands of them, and every other one in full.
func (l *loader) pod(s *scan.Scanner) error {
	g, err := l.look(s)
	if err != nil {
		return err
	}
	l.notePlace(string(g.namespace), string(g.name))
	if g.owner.UID == "" {
		return nil
	}
	if g.ready && string(g.phase) == string(corev1.PodRunning) && len(g.deletion) == 0 {
		l.pods[g.owner] = append(l.pods[g.owner], l.well(g))
		return nil
	}
	pod := &corev1.Pod{}
	if err := json.Unmarshal(g.raw, pod); err != nil {
		return err
	}
	l.pods[g.owner] = append(l.pods[g.owner], reduce(pod))
	for _, c := range pod.Status.Conditions {
		l.tick(c.LastTransitionTime.Time)
	}
	l.tick(pod.CreationTimestamp.Time)
	return nil
}

// well is the Pod that was seen at a glance.
func (l *loader) well(g glance) Pod {
	pod := Pod{
		Name: string(g.name), UID: uid(g.uid), Node: l.shared(g.node), Phase: corev1.PodRunning, Ready: true, Restarts: g.restarts,
	}
	if g.revision != nil {
		hash := l.shared(g.revision)
		pod.Revision = &hash
	}
	return pod
}

// shared returns a text that other Pods have too.
func (l *loader) shared(text []byte) string {
	if known, ok := l.names[string(text)]; ok {
		return known
	}
	known := string(text)
	l.names[known] = known
	return known
}
