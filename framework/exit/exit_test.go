package exit

import (
	"context"
	"errors"
	"fmt"
	"testing"
)

func TestCode(t *testing.T) {
	for name, test := range map[string]struct {
		err  error
		want int
	}{
		"nothing wrong":         {nil, 0},
		"wrong usage":           {Usagef("no context %q", "x"), 64},
		"wrapped wrong usage":   {fmt.Errorf("run: %w", Usagef("no")), 64},
		"environment":           {Environmentf("API server is down"), 3},
		"interrupted":           {fmt.Errorf("waiting: %w", context.Canceled), 4},
		"out of time":           {context.DeadlineExceeded, 3},
		"of no particular kind": {errors.New("disk full"), 3},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Code(test.err); got != test.want {
				t.Errorf("Code(%v) = %d, want %d", test.err, got, test.want)
			}
		})
	}
}
