package audit

import (
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/types"

	"rollcall.dev/rollcall/framework/audit/scan"
)

// glance is what one look at a Pod's JSON shows: enough to tell whether it is
// Ready and whose it is. Its texts are parts of that JSON.
type glance struct {
	raw                            []byte
	namespace, name, uid, deletion []byte
	revision                       []byte
	owner                          owner
	node, phase                    []byte
	ready                          bool
	restarts                       int64
}

func uid(text []byte) types.UID { return types.UID(text) }

// sighting is the last Pod that was read in full, and which of its strings are its
// name, its UID and its node.
type sighting struct {
	glance
	mould           scan.Mould
	name, uid, node int
}

// look reads a Pod: the next of its DaemonSet by comparing it with the last one,
// any other by a glance.
func (l *loader) look(s *scan.Scanner) (glance, error) {
	if g, ok := l.again(s); ok {
		return g, nil
	}
	last := &l.last
	err := s.Cast(&last.mould, func() (err error) {
		last.glance, err = l.glance(s)
		return err
	})
	last.name, last.uid, last.node = last.mould.Number(last.glance.name), last.mould.Number(last.glance.uid), last.mould.Number(last.glance.node)
	return last.glance, err
}

// again reads a Pod that differs from the last one in its name, its UID, its node,
// and in what a glance does not see.
func (l *loader) again(s *scan.Scanner) (glance, bool) {
	start, g := s.Mark(), l.last.glance
	ok := s.Fits(&l.last.mould, func(number int, taken bool, text []byte) bool {
		switch number {
		case l.last.name:
			g.name = text
		case l.last.uid:
			g.uid = text
		case l.last.node:
			g.node = text
		default:
			return !taken
		}
		return true
	})
	g.raw = s.Since(start)
	return g, ok
}

// glance reads a Pod.
func (l *loader) glance(s *scan.Scanner) (g glance, err error) {
	start := s.Mark()
	err = s.Object(func(key []byte) error {
		switch string(key) {
		case "metadata":
			return object(s, func(key []byte) error { return l.metadata(s, key, &g) })
		case "spec":
			return object(s, func(key []byte) (err error) {
				if string(key) != "nodeName" {
					return s.Skip()
				}
				g.node, err = s.Text()
				return err
			})
		case "status":
			return object(s, func(key []byte) error { return status(s, key, &g) })
		default:
			return s.Skip()
		}
	})
	g.raw = s.Since(start)
	return g, err
}

// object reads an object, and passes over any other value.
func object(s *scan.Scanner, member func(key []byte) error) error {
	if !s.IsObject() {
		return s.Skip()
	}
	return s.Object(member)
}

// list reads a list of objects, and passes over any other value.
func list(s *scan.Scanner, element func(key []byte) error) error {
	if !s.IsArray() {
		return s.Skip()
	}
	return s.Array(func() error { return object(s, element) })
}

func (l *loader) metadata(s *scan.Scanner, key []byte, g *glance) (err error) {
	switch string(key) {
	case "name":
		g.name, err = s.Text()
	case "namespace":
		g.namespace, err = s.Text()
	case "uid":
		g.uid, err = s.Text()
	case "deletionTimestamp":
		g.deletion, err = s.Text()
	case "labels":
		err = object(s, func(key []byte) (err error) {
			if string(key) != appsv1.ControllerRevisionHashLabelKey {
				return s.Skip()
			}
			g.revision, err = s.Text()
			return err
		})
	case "ownerReferences":
		err = l.owners(s, g)
	default:
		err = s.Skip()
	}
	return err
}

// owners looks for the DaemonSet among a Pod's owners.
func (l *loader) owners(s *scan.Scanner, g *glance) error {
	if !s.IsArray() {
		return s.Skip()
	}
	return s.Array(func() error {
		var apiVersion, kind, name, of []byte
		controls := false
		err := object(s, func(key []byte) (err error) {
			switch string(key) {
			case "apiVersion":
				apiVersion, err = s.Text()
			case "kind":
				kind, err = s.Text()
			case "name":
				name, err = s.Text()
			case "uid":
				of, err = s.Text()
			case "controller":
				controls, err = s.True()
			default:
				err = s.Skip()
			}
			return err
		})
		if controls && string(kind) == daemonSetKind.Kind && string(apiVersion) == appsGroupVersion {
			g.owner = owner{l.shared(name), types.UID(l.shared(of))}
		}
		return err
	})
}

// appsGroupVersion is the API version of a DaemonSet.
var appsGroupVersion = daemonSetKind.GroupVersion().String()

func status(s *scan.Scanner, key []byte, g *glance) (err error) {
	switch string(key) {
	case "phase":
		g.phase, err = s.Text()
	case "conditions":
		if !s.IsArray() {
			return s.Skip()
		}
		err = s.Array(func() error {
			ready, err := readyTrue(s)
			g.ready = g.ready || ready
			return err
		})
	case "containerStatuses", "initContainerStatuses":
		err = list(s, func(key []byte) error {
			if string(key) != "restartCount" {
				return s.Skip()
			}
			n, err := s.Int()
			g.restarts += n
			return err
		})
	default:
		err = s.Skip()
	}
	return err
}

// readyTrue reads a condition and reports whether it says Ready.
func readyTrue(s *scan.Scanner) (bool, error) {
	var kind, status []byte
	err := object(s, func(key []byte) (err error) {
		switch string(key) {
		case "type":
			kind, err = s.Text()
		case "status":
			status, err = s.Text()
		default:
			err = s.Skip()
		}
		return err
	})
	return string(kind) == "Ready" && string(status) == "True", err
}
