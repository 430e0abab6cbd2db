package mutants

import (
	"slices"
	"sync"
)

// queue hands mutants out to clusters. A cluster stays with a component as long as
// there are mutants of it, for going to another one costs restarts.
type queue struct {
	mutex sync.Mutex
	left  []Mutant
	// at counts the clusters at a component.
	at map[Component]int
}

func newQueue(mutants []Mutant) *queue {
	return &queue{left: slices.Clone(mutants), at: map[Component]int{}}
}

// next returns a mutant for a cluster that is at a component, or at none yet, and
// false if none is left.
func (q *queue) next(now Component) (Mutant, bool) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	if len(q.left) == 0 {
		return Mutant{}, false
	}
	of := q.place(now)
	if of != now {
		q.at[now]--
		q.at[of]++
	}
	i := slices.IndexFunc(q.left, func(m Mutant) bool { return m.Component == of })
	mutant := q.left[i]
	q.left = slices.Delete(q.left, i, i+1)
	return mutant, true
}

// place chooses a component: the same as now, or the one that has most left for
// each cluster that would be at it.
func (q *queue) place(now Component) Component {
	waiting := map[Component]int{}
	for _, mutant := range q.left {
		waiting[mutant.Component]++
	}
	if waiting[now] > 0 {
		return now
	}
	best, most := Component(""), 0.0
	for _, component := range components {
		if each := float64(waiting[component]) / float64(q.at[component]+1); each > most {
			best, most = component, each
		}
	}
	return best
}
