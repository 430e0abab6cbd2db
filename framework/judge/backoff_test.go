package judge

import (
	"testing"
	"time"
)

func TestBacksOff(t *testing.T) {
	least := []time.Duration{9 * time.Second, 19 * time.Second}
	attempt := func(restarts, previousEnd, from, to int64) podState {
		return pending(map[string]doing{"prepare": again(int32(restarts), 7, previousEnd, previousEnd, ends(7, from, to))})
	}
	first := pending(map[string]doing{"prepare": ends(7, 10, 10)})
	for _, test := range []struct {
		name   string
		states []podState
		faults int
	}{
		{"as documented", []podState{first, attempt(1, 10, 10, 11), attempt(2, 11, 21, 21), attempt(3, 21, 41, 42)}, 0},
		{"the end of the first attempt is not told", []podState{
			pending(map[string]doing{"prepare": backsOff(1, 7, 10, 11)}), attempt(2, 11, 21, 21), attempt(3, 21, 41, 42)}, 0},
		{"waiting in between", []podState{first, attempt(1, 10, 10, 11),
			pending(map[string]doing{"prepare": backsOff(1, 7, 10, 11)}), attempt(2, 11, 21, 21), attempt(3, 21, 41, 42)}, 0},
		{"a second pause that is too short", []podState{first, attempt(1, 10, 10, 11), attempt(2, 11, 13, 13), attempt(3, 13, 33, 33)}, 1},
		{"a third pause that does not grow", []podState{first, attempt(1, 10, 10, 11), attempt(2, 11, 21, 21), attempt(3, 21, 31, 31)}, 1},
		{"no fourth attempt", []podState{first, attempt(1, 10, 10, 11), attempt(2, 11, 21, 21)}, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			if violations := BacksOff(steps, "prepare", least...).Find(lifeOf(steps, test.states...)); len(violations) != test.faults {
				t.Errorf("want %d violations: %v", test.faults, violations)
			}
		})
	}
}
