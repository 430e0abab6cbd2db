package run

import (
	"strings"
	"testing"

	"github.com/onsi/ginkgo/v2/types"

	"rollcall.dev/rollcall/framework/report"
	"rollcall.dev/rollcall/framework/scene"
)

func entry(name, text string) types.ReportEntry {
	return types.ReportEntry{Name: name, Value: types.WrapEntryValue(text)}
}

func TestAKnownDeviationWaivesOnlyWhatPassed(t *testing.T) {
	waiver, doubt := entry(scene.WaivedEntry, "KD-1: it lags"), entry(scene.InconclusiveEntry, "a gap")
	for name, c := range map[string]struct {
		state   types.SpecState
		entries []types.ReportEntry
		want    report.Verdict
	}{
		"passed":               {types.SpecStatePassed, []types.ReportEntry{waiver}, report.Waived},
		"failed all the same":  {types.SpecStateFailed, []types.ReportEntry{waiver}, report.Failed},
		"doubtful beforehand":  {types.SpecStatePassed, []types.ReportEntry{doubt, waiver}, report.Unknown},
		"doubtful afterwards":  {types.SpecStatePassed, []types.ReportEntry{waiver, doubt}, report.Unknown},
		"passed with no entry": {types.SpecStatePassed, nil, report.Passed},
	} {
		found := finding(types.SpecReport{State: c.state, ReportEntries: c.entries})
		if found.Verdict != c.want {
			t.Errorf("%s: %s", name, found.Verdict)
		}
		if told := strings.Contains(found.Message, "KD-1"); told != (c.entries != nil) {
			t.Errorf("%s: the message is %q", name, found.Message)
		}
	}
}
