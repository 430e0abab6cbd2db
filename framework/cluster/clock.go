package cluster

import (
	"net/http"
	"sync"
	"time"
)

// clock knows how far the API server's clock is ahead of ours, from the Date
// header of its last answer. Until a server has answered, it takes the two for equal.
type clock struct {
	mu sync.Mutex
	// least and most are the bounds of the difference.
	least, most time.Duration
}

// resolution is that of the Date header, which cuts the rest of the second off.
const resolution = time.Second

// Ahead returns how far at least the API server's clock is ahead of this
// machine's; it is negative if that is behind, and 0 if the two may agree.
func (c *Connection) Ahead() time.Duration {
	if c.clock == nil {
		return 0
	}
	c.clock.mu.Lock()
	defer c.clock.mu.Unlock()
	return max(c.clock.least, 0) + min(c.clock.most, 0)
}

// now is the API server's time, right to within half of the header's resolution and
// the time that an answer takes.
func (c *Connection) now() time.Time {
	if c.clock == nil {
		return time.Now()
	}
	c.clock.mu.Lock()
	defer c.clock.mu.Unlock()
	return time.Now().Add((c.clock.least + c.clock.most) / 2)
}

// hear sets the clock by an answer that has just arrived: the server wrote its time
// between the question and now.
func (c *clock) hear(response *http.Response, asked time.Time) {
	date, err := http.ParseTime(response.Header.Get("Date"))
	if err != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.least, c.most = time.Until(date), date.Add(resolution).Sub(asked)
}
