package scene

import (
	"strings"
	"testing"
	"time"
)

func TestWrongClock(t *testing.T) {
	for ahead, want := range map[time.Duration]string{
		0: "", clockTolerance: "", -clockTolerance: "",
		1100 * time.Millisecond: "is at least 1.1s behind the API server's",
		-time.Hour:              "is at least 1h0m0s ahead of the API server's",
	} {
		got := wrongClock(ahead)
		if (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s: got %q", ahead, got)
		}
	}
}
