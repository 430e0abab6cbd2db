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
	for _, off := range []time.Duration{0, time.Minute, -time.Hour} {
		connection := &Connection{clock: &clock{}}
		connection.clock.hear(&http.Response{Header: http.Header{"Date": {time.Now().Add(off).UTC().Format(http.TimeFormat)}}})
		connection.clock.hear(&http.Response{}) // says nothing of the time
		if wrong := connection.Ahead() - off; wrong.Abs() > time.Second {
			t.Errorf("the server is ahead by %s: got %s", off, connection.Ahead())
		}
	}
}
