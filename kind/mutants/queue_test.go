package mutants

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// of makes n mutants of a component.
func of(component Component, n int) []Mutant {
	mutants := make([]Mutant, n)
	for i := range mutants {
		mutants[i] = Mutant{Name: fmt.Sprintf("%s-%d", component, i), Component: component}
	}
	return mutants
}

func TestQueueKeepsAClusterAtItsComponent(t *testing.T) {
	q := newQueue(append(of(Scheduler, 1), of(Kubelet, 2)...))
	var got []string
	var now Component
	for mutant, ok := q.next(now); ok; mutant, ok = q.next(now) {
		got, now = append(got, mutant.Name), mutant.Component
	}
	want := []string{"kubelet-0", "kubelet-1", "kube-scheduler-0"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestQueueSharesTheComponentsOut(t *testing.T) {
	q := newQueue(append(of(Scheduler, 1), of(Kubelet, 5)...))
	first, _ := q.next("")
	second, _ := q.next("")
	if first.Component != Kubelet || second.Component != Kubelet {
		t.Errorf("the clusters are at %s and %s, and five mutants are for two", first.Component, second.Component)
	}
	q = newQueue(append(of(Scheduler, 2), of(Kubelet, 3)...))
	first, _ = q.next("")
	second, _ = q.next("")
	if first.Component != Kubelet || second.Component != Scheduler {
		t.Errorf("the clusters are at %s and %s", first.Component, second.Component)
	}
}
