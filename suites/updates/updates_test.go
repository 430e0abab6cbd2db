package updates

import (
	"testing"

	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"

	"rollcall.dev/rollcall/framework/judge"
)

func TestJustAboveTellsRoundingUpFromRoundingDown(t *testing.T) {
	for nodes := 2; nodes <= few; nodes++ {
		percent := intstr.FromString(justAbove(1, judge.Nodes{Eligible: make([]string, nodes)}))
		up, _ := intstr.GetScaledValueFromIntOrPercent(ptr.To(percent), nodes, true)
		down, _ := intstr.GetScaledValueFromIntOrPercent(ptr.To(percent), nodes, false)
		if up != 2 || down != 1 {
			t.Errorf("%s of %d is %d rounded up and %d rounded down", percent.StrVal, nodes, up, down)
		}
	}
}

func TestFollowStages(t *testing.T) {
	claim := followStages("one", "two", "three")
	for _, c := range []struct {
		follows bool
		texts   []string
	}{
		{true, []string{"one", "two: 0", "two: 1", "three"}},
		{false, []string{"one", "three"}},
		{false, []string{"one", "two", "one", "two", "three"}},
		{false, []string{"one", "two", "another", "three"}},
		{false, []string{"one", "two"}},
	} {
		if follows, err := claim.Match(c.texts); err != nil || follows != c.follows {
			t.Errorf("%q: %t, %v", c.texts, follows, err)
		}
	}
}
