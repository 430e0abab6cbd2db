package audit

import (
	"cmp"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"rollcall.dev/rollcall/framework/exit"
)

// SurveyKind is that of a survey's JSON.
const SurveyKind = "DaemonSetSurvey"

// Survey is every DaemonSet of a cluster, pool by pool. A DaemonSet's pools are
// divided by a label of the nodes that has nothing to do with it, so that a pool
// which the DaemonSet never sees is in the table all the same.
type Survey struct {
	APIVersion string `json:"apiVersion"`
	// Kind is SurveyKind.
	Kind       string     `json:"kind"`
	At         time.Time  `json:"at"`
	PoolLabel  string     `json:"poolLabel,omitempty"`
	Nodes      int        `json:"nodes"`
	DaemonSets []Surveyed `json:"daemonsets"`
	Notes      []string   `json:"notes,omitempty"`
}

// Surveyed is what was found about one DaemonSet.
type Surveyed struct {
	Namespace string `json:"namespace"`
	Name      string `json:"daemonset"`
	// Unjudged is why nothing is said about it; empty if something is.
	Unjudged string   `json:"unjudged,omitempty"`
	Pools    []Pool   `json:"pools"`
	Causes   []Cause  `json:"causes"`
	Hidden   []Hidden `json:"hidden"`
	Risks    []Risk   `json:"risks"`
	Counters Counters `json:"counters"`
}

// Pool is one DaemonSet on the nodes of one pool.
type Pool struct {
	Pool string `json:"pool"`
	// Nodes are all of the pool, Desired those on which the DaemonSet belongs by
	// its spec, Ready those of them with a Ready Pod.
	Nodes   int `json:"nodes"`
	Desired int `json:"desired"`
	Ready   int `json:"ready"`
	// Versions counts Pods by the hash of their template.
	Versions map[string]int `json:"versions"`
	// Gaps are the nodes where it belongs and has no Ready Pod.
	Gaps []string `json:"gaps"`
	// Uncounted are the nodes that no counter of the DaemonSet shows: by its spec
	// it does not belong there, and it has no Pod there either.
	Uncounted []string `json:"uncounted"`

	newest string
}

// Hidden is nodes that no counter of a DaemonSet shows, and why.
type Hidden struct {
	Nodes   []string `json:"nodes"`
	Because string   `json:"because"`
}

// String names the DaemonSet.
func (d Surveyed) String() string { return d.Namespace + "/" + d.Name }

// Gaps counts the nodes where a DaemonSet belongs and has no Ready Pod.
func (d Surveyed) Gaps() int {
	n := 0
	for _, pool := range d.Pools {
		n += len(pool.Gaps)
	}
	return n
}

// ExitCode is 1 if any DaemonSet has a gap, 3 if none has and one could not be
// judged, and 0 if neither.
func (s *Survey) ExitCode() int {
	code := 0
	for _, d := range s.DaemonSets {
		if d.Gaps() > 0 {
			return 1
		}
		if d.Unjudged != "" {
			code = exit.CouldNotRun
		}
	}
	return code
}

// All surveys every DaemonSet of a snapshot. The roster, if there is one, says
// which nodes matter; otherwise all do.
func All(s *Snapshot, poolLabel string, roster Roster) (*Survey, error) {
	nodes, err := s.nodesByName()
	if err != nil {
		return nil, err
	}
	whole := roster
	if whole == nil {
		whole = Roster{}
		for name, node := range nodes {
			whole[name] = node.UID
		}
	}
	survey := &Survey{
		APIVersion: APIVersion, Kind: SurveyKind, At: s.At, PoolLabel: poolLabel, Nodes: len(whole),
		DaemonSets: make([]Surveyed, len(s.Before)),
	}
	if s.Once {
		survey.Notes = append(survey.Notes, "The DaemonSets were read once, so a change during the collection would not be seen.")
	}
	pools := poolsOf(whole, nodes, poolLabel)
	sideBySide(len(s.Before), func(i int) {
		survey.DaemonSets[i] = s.survey(s.Before[i], whole, nodes, pools)
	})
	slices.SortStableFunc(survey.DaemonSets, func(a, b Surveyed) int {
		return cmp.Or(cmp.Compare(b.Gaps(), a.Gaps()), cmp.Compare(a.String(), b.String()))
	})
	return survey, nil
}

// sideBySide does n things with all processors.
func sideBySide(n int, do func(i int)) {
	var workers sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := range next {
				do(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	workers.Wait()
}

// poolsOf divides the nodes of a roster, sorted by name, by the value of a label.
func poolsOf(roster Roster, nodes map[string]*corev1.Node, label string) map[string][]*corev1.Node {
	pools := map[string][]*corev1.Node{}
	for _, name := range roster.Names() {
		if node := nodes[name]; node != nil {
			value := ""
			if label != "" {
				value = node.Labels[label]
			}
			pools[value] = append(pools[value], node)
		}
	}
	return pools
}

func (s *Snapshot) survey(d *appsv1.DaemonSet, roster Roster, nodes map[string]*corev1.Node, pools map[string][]*corev1.Node) Surveyed {
	found := Surveyed{Namespace: d.Namespace, Name: d.Name, Causes: []Cause{}, Hidden: []Hidden{}, Risks: []Risk{}, Pools: []Pool{}}
	same, err := s.daemonSet(d.Namespace, d.Name)
	if err != nil {
		found.Unjudged = err.Error()
		return found
	}
	pods, err := s.podsOf(same)
	if err != nil {
		found.Unjudged = err.Error()
		return found
	}
	q := inquiry{s, d, roster, nodes, byTarget(pods)}
	hidden := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(pools)) {
		pool := q.pool(name, pools[name], hidden)
		found.Pools = append(found.Pools, pool)
		found.Counters.Eligible += pool.Desired
		found.Counters.Covered += pool.Ready
		for _, gap := range pool.Gaps {
			for _, cause := range q.about(gap) {
				found.Causes = append(found.Causes, cause.on(gap))
			}
		}
	}
	for _, because := range slices.Sorted(maps.Keys(hidden)) {
		found.Hidden = append(found.Hidden, Hidden{hidden[because], because})
	}
	found.Counters.Intended, found.Counters.Desired, found.Counters.Ready = len(roster), d.Status.DesiredNumberScheduled, d.Status.NumberReady
	found.Risks = risks(d, pods, s.newestRevision(d.UID))
	return found
}

// pool looks at one DaemonSet on the nodes of one pool and notes why it does not
// see some of them.
func (q inquiry) pool(name string, nodes []*corev1.Node, hidden map[string][]string) Pool {
	pool := Pool{
		Pool: name, Nodes: len(nodes), Versions: map[string]int{}, Gaps: []string{}, Uncounted: []string{},
		newest: q.newestRevision(q.daemonSet.UID),
	}
	for _, node := range nodes {
		pods := q.byTarget[node.Name]
		for _, pod := range pods {
			pool.Versions[revisionOf(pod)]++
		}
		switch obstacles := q.obstacles(node); {
		case len(obstacles) == 0 && slices.ContainsFunc(pods, isReady):
			pool.Desired++
			pool.Ready++
		case len(obstacles) == 0:
			pool.Desired++
			pool.Gaps = append(pool.Gaps, node.Name)
		case len(pods) == 0:
			pool.Uncounted = append(pool.Uncounted, node.Name)
			because := strings.Join(evidenceOf(obstacles), "; ")
			hidden[because] = append(hidden[because], node.Name)
		}
	}
	return pool
}

// DescribeVersions counts Pods by version, the newest first.
func (p Pool) DescribeVersions() string {
	hashes := slices.SortedFunc(maps.Keys(p.Versions), func(a, b string) int {
		return cmp.Or(cmp.Compare(boolInt(b == p.newest), boolInt(a == p.newest)), cmp.Compare(a, b))
	})
	var texts []string
	for _, hash := range hashes {
		text := fmt.Sprintf("%s×%d", cmp.Or(hash, "(no label)"), p.Versions[hash])
		if hash != p.newest && p.newest != "" {
			text += " (old)"
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, ", ")
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
