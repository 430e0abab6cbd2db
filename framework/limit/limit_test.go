package limit

import (
	"testing"
	"time"
)

func TestLimitsGrowWithTheNodes(t *testing.T) {
	for _, c := range []struct {
		limit Limit
		nodes int
		want  time.Duration
	}{
		{Placement, 3, 61800 * time.Millisecond},
		{Placement, 500, 6 * time.Minute},
		{PodGone, 500, PodGone.For},
	} {
		if got := c.limit.On(c.nodes); got != c.want {
			t.Errorf("%s on %d nodes: %s", c.limit.Name, c.nodes, got)
		}
	}
}

func TestGrowthCoversEveryLimit(t *testing.T) {
	for _, l := range All {
		if most := time.Duration(Growth(500) * float64(l.For)); l.On(500) > most {
			t.Errorf("%s: %s is more than %s", l.Name, l.On(500), most)
		}
	}
}
