package cluster

import (
	"net/http"
	"sync/atomic"
	"time"
)

// clock tells the API server's time, from the Date header of its answers. It is
// right to within a second or so, the header's resolution. Until a server has
// answered it tells our own.
type clock struct{ ahead atomic.Int64 }

// Now returns the API server's time.
func (c *clock) Now() time.Time { return time.Now().Add(time.Duration(c.ahead.Load())) }

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
