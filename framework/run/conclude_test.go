package run

import (
	"context"
	"errors"
	"testing"

	"rollcall.dev/rollcall/framework/exit"
	"rollcall.dev/rollcall/framework/report"
)

func TestConclude(t *testing.T) {
	stopped, stop := context.WithCancel(t.Context())
	stop()
	leftover := exit.Environmentf("a namespace is still there")
	for name, test := range map[string]struct {
		ctx     context.Context
		err     error
		trouble error
		verdict report.Verdict
		want    report.Conclusion
	}{
		"all kept":                           {t.Context(), nil, nil, report.Passed, report.Conformant},
		"one broken":                         {t.Context(), nil, nil, report.Failed, report.NotConformant},
		"it could not begin":                 {t.Context(), exit.Environmentf("no rights"), nil, report.Unknown, report.CouldNotRun},
		"told to stop":                       {stopped, nil, context.Canceled, report.Unknown, report.Interrupted},
		"told to stop before it began":       {t.Context(), context.Canceled, nil, report.Unknown, report.Interrupted},
		"all kept and something left behind": {t.Context(), nil, leftover, report.Passed, report.Inconclusive},
		"broken and something left behind":   {t.Context(), nil, leftover, report.Failed, report.NotConformant},
		"the lock was lost in mid-run":       {t.Context(), nil, errors.New("lost"), report.Unknown, report.Inconclusive},
	} {
		t.Run(name, func(t *testing.T) {
			r := &running{report: &report.ConformanceReport{Results: []report.Result{{ID: "S-01", Verdict: test.verdict, Required: true}}}, trouble: test.trouble}
			r.conclude(test.ctx, test.err)
			if r.report.Conclusion != test.want {
				t.Errorf("%s (%s), want %s", r.report.Conclusion, r.report.Reason, test.want)
			}
		})
	}
}
