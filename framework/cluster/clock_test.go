package cluster

import (
	"net/http"
	"testing"
	"time"
)

func TestAhead(t *testing.T) {
	silent := &Connection{}
	if silent.Ahead() != 0 {
		t.Errorf("without a clock, the server is ahead by %s", silent.Ahead())
	}
	for _, c := range []struct{ off, took, least, most time.Duration }{
		{0, 0, 0, 0},
		{time.Minute, 0, time.Minute - 2*time.Second, time.Minute},
		{-time.Hour, 0, -time.Hour, -time.Hour + 2*time.Second},
		// The server may have written its time at any instant of a slow answer.
		{-5 * time.Second, 8 * time.Second, 0, 0},
	} {
		connection := &Connection{clock: &clock{}}
		answer := &http.Response{Header: http.Header{"Date": {time.Now().Add(c.off).UTC().Format(http.TimeFormat)}}}
		connection.clock.hear(answer, time.Now().Add(-c.took))
		connection.clock.hear(&http.Response{}, time.Now()) // says nothing of the time
		if got := connection.Ahead(); got < c.least || got > c.most {
			t.Errorf("the server is ahead by %s, said in %s: got %s", c.off, c.took, got)
		}
	}
}
