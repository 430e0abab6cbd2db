package cluster

import (
	"net/http"
	"sync/atomic"
	"time"
)

// clock knows how far the API server's clock is ahead of ours, from the Date
// header of its answers. It is right to within a second or so, the header's
// resolution. Until a server has answered, it takes the two for equal.
type clock struct{ ahead atomic.Int64 }

// Ahead returns how far the API server's clock is ahead of this machine's, as
// far as is known; it is negative if that is behind.
func (c *Connection) Ahead() time.Duration {
	if c.clock == nil {
		return 0
	}
	return time.Duration(c.clock.ahead.Load())
}

// hear sets the clock by an answer that has just arrived.
func (c *clock) hear(response *http.Response) {
	date, err := http.ParseTime(response.Header.Get("Date"))
	if err != nil {
		return
	}
	// The header cuts the second off: half of one is what it leaves out on
	// average.
	c.ahead.Store(int64(time.Until(date.Add(500 * time.Millisecond))))
}
