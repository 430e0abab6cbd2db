package report

import (
	"cmp"
	"slices"
	"time"
)

// podLane is a Pod on a node and the lane in which it is drawn. Pods that are
// there at the same time, as during a surge, get lanes of their own.
type podLane struct {
	name, version string
	from, to      time.Time
	lane          int
	bars          []Bar
}

type lanes struct {
	pods  []podLane
	count int
}

// lanesOf gathers the bars of each Pod and gives every Pod the first lane that
// is free when it begins.
func lanesOf(bars []Bar) lanes {
	l := lanes{pods: podsOf(bars)}
	var free []time.Time
	for i := range l.pods {
		pod := &l.pods[i]
		pod.lane = slices.IndexFunc(free, func(at time.Time) bool { return !pod.from.Before(at) })
		if pod.lane < 0 {
			pod.lane = len(free)
			free = append(free, time.Time{})
		}
		free[pod.lane] = pod.to
	}
	l.count = len(free)
	return l
}

// podsOf returns the Pods in the order in which they begin.
func podsOf(bars []Bar) []podLane {
	index := map[string]int{}
	var pods []podLane
	for _, bar := range bars {
		i, known := index[bar.Pod]
		if !known {
			i = len(pods)
			index[bar.Pod] = i
			pods = append(pods, podLane{name: bar.Pod, from: bar.From, to: bar.To})
		}
		pods[i].add(bar)
	}
	slices.SortStableFunc(pods, func(a, b podLane) int {
		return cmp.Or(a.from.Compare(b.from), cmp.Compare(a.name, b.name))
	})
	return pods
}

func (p *podLane) add(bar Bar) {
	p.bars = append(p.bars, bar)
	if bar.Version != "" {
		p.version = bar.Version
	}
	if bar.From.Before(p.from) {
		p.from = bar.From
	}
	if bar.To.After(p.to) {
		p.to = bar.To
	}
}
