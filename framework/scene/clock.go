package scene

import (
	"fmt"
	"time"

	"github.com/onsi/ginkgo/v2"
)

// clockTolerance is how far this machine's clock may be off the API server's where
// the two are compared: the judges allow for a second.
const clockTolerance = time.Second

// ComparesClocks is for a spec that compares the instants in objects with those
// at which this process saw changes, as is done to tell for how long a Pod has
// been Ready. If this machine's clock is wrong, now or when the spec ends, the
// verdict is inconclusive.
func (c *Cluster) ComparesClocks() {
	if !c.doubtClock() {
		ginkgo.DeferCleanup(func() { c.doubtClock() })
	}
}

func (c *Cluster) doubtClock() bool {
	if c.Ahead == nil {
		return false
	}
	wrong := wrongClock(c.Ahead())
	if wrong != "" {
		Doubt("%s", wrong)
	}
	return wrong != ""
}

// wrongClock tells what is wrong with this machine's clock, if the API server's is
// so far ahead of it.
func wrongClock(ahead time.Duration) string {
	if ahead.Abs() <= clockTolerance {
		return ""
	}
	direction := "behind"
	if ahead < 0 {
		direction = "ahead of"
	}
	return fmt.Sprintf("the clock of the machine that runs rollcall is at least %s %s the API server's, so for how long a Pod has been Ready cannot be judged; set this machine's clock",
		ahead.Abs().Round(100*time.Millisecond), direction)
}
