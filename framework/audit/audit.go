package audit

import (
	"cmp"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"rollcall.dev/rollcall/framework/exit"
	"rollcall.dev/rollcall/framework/judge"
)

// APIVersion and Kind are those of the audit's JSON.
const (
	APIVersion = "rollcall.dev/v1"
	AuditKind  = "DaemonSetAudit"
)

// Audit is what was found about one DaemonSet.
type Audit struct {
	APIVersion string    `json:"apiVersion"`
	Kind       string    `json:"kind"`
	At         time.Time `json:"at"`
	Namespace  string    `json:"namespace"`
	DaemonSet  string    `json:"daemonset"`
	UID        types.UID `json:"uid"`
	Generation int64     `json:"generation"`
	// Intended is the roster.
	Intended Roster `json:"intended"`
	Pods     []Pod  `json:"pods"`
	Issues   Issues `json:"issues"`
	// Causes say why. Every node and Pod among the issues has at least one.
	Causes   []Cause   `json:"causes"`
	Versions []Version `json:"versions"`
	Counters Counters  `json:"counters"`
	Risks    []Risk    `json:"risks"`
	// Notes are what a reader should know about the audit itself.
	Notes []string `json:"notes,omitempty"`
}

// Counters set the DaemonSet's own numbers beside those of the roster.
type Counters struct {
	// Intended are the nodes of the roster, Eligible those of them on which the
	// DaemonSet belongs by its spec, Covered those with a Ready Pod.
	Intended int `json:"intended"`
	Eligible int `json:"eligible"`
	Covered  int `json:"covered"`
	// Desired and Ready are what the DaemonSet's status says.
	Desired int32 `json:"desiredNumberScheduled"`
	Ready   int32 `json:"numberReady"`
}

// Version is the Pods that were made from one template.
type Version struct {
	Revision string `json:"revision"`
	Newest   bool   `json:"newest"`
	Pods     int    `json:"pods"`
	Ready    int    `json:"ready"`
	Restarts int64  `json:"restarts"`
}

// ExitCode is 0 if nothing was found and 1 if anything was, legal or not.
func (a *Audit) ExitCode() int {
	if a.Issues.None() {
		return 0
	}
	return 1
}

// Of audits one DaemonSet of a snapshot against a roster. Its error is an
// exit.EnvironmentError: the snapshot cannot be trusted or does not hold what is
// needed.
func Of(s *Snapshot, namespace, name string, roster Roster) (*Audit, error) {
	daemonSet, err := s.daemonSet(namespace, name)
	if err != nil {
		return nil, err
	}
	nodes, err := s.nodesByName()
	if err != nil {
		return nil, err
	}
	if s.foreign != "" {
		return nil, exit.Environmentf("wrong Pod namespace: %s is not in %s", s.foreign, namespace)
	}
	pods, err := s.podsOf(daemonSet)
	if err != nil {
		return nil, err
	}
	a := &Audit{
		APIVersion: APIVersion, Kind: AuditKind, At: s.At,
		Namespace: namespace, DaemonSet: name, UID: daemonSet.UID, Generation: daemonSet.Generation,
		Intended: roster, Pods: append([]Pod{}, pods...), Issues: findIssues(roster, nodes, pods),
		Versions: versions(pods, s.newestRevision(daemonSet.UID)),
		Counters: count(daemonSet, roster, nodes),
	}
	a.Counters.Covered = len(roster) - len(a.Issues.MissingReady)
	a.Causes = inquiry{s, daemonSet, roster, nodes, byTarget(pods)}.causes()
	a.Risks = risks(daemonSet, pods, s.newestRevision(daemonSet.UID))
	if s.Once {
		a.Notes = append(a.Notes, "The DaemonSet was read once, so a change during the collection would not be seen.")
	}
	return a, nil
}

func byTarget(pods []Pod) map[string][]Pod {
	by := map[string][]Pod{}
	for _, pod := range pods {
		by[pod.target()] = append(by[pod.target()], pod)
	}
	return by
}

func count(daemonSet *appsv1.DaemonSet, roster Roster, nodes map[string]*corev1.Node) Counters {
	c := Counters{Intended: len(roster), Desired: daemonSet.Status.DesiredNumberScheduled, Ready: daemonSet.Status.NumberReady}
	for name := range roster {
		if node := nodes[name]; node != nil && len(judge.Obstacles(daemonSet.Spec.Template.Spec, node)) == 0 {
			c.Eligible++
		}
	}
	return c
}

// versions groups Pods by their template, the newest first and then by number.
func versions(pods []Pod, newest string) []Version {
	index := map[string]int{}
	found := []Version{}
	for _, pod := range pods {
		hash := revisionOf(pod)
		at, known := index[hash]
		if !known {
			at = len(found)
			index[hash] = at
			found = append(found, Version{Revision: hash, Newest: hash != "" && hash == newest})
		}
		found[at].Pods++
		found[at].Restarts += pod.Restarts
		if pod.Ready {
			found[at].Ready++
		}
	}
	slices.SortStableFunc(found, func(a, b Version) int {
		switch {
		case a.Newest:
			return -1
		case b.Newest:
			return 1
		default:
			return cmp.Or(cmp.Compare(b.Pods, a.Pods), cmp.Compare(a.Revision, b.Revision))
		}
	})
	return found
}
