package report

import (
	"slices"
	"testing"
)

func TestLine(t *testing.T) {
	unfinished := allGreen()
	unfinished.Conclusion, unfinished.Run.Finished = "", nil
	early := header(0)
	early.Run.Finished, early.Cluster = nil, Cluster{}
	early.Conclusion, early.Reason = CouldNotRun, "no access:\nthe verb \x1b[1mcreate\x1b[0m is missing"
	stopped := allGreen()
	stopped.Conclusion, stopped.Reason = Interrupted, "SIGTERM"
	many := everyVerdict()
	many.Results = slices.Repeat(many.Results[5:6], 7)
	many.Conclude()

	for want, r := range map[string]*ConformanceReport{
		"conformant: 4 passed, 0 failed, 0 inconclusive, 0 skipped (level namespace, kubernetes v1.37.2, 48s)":                                                                  allGreen(),
		"not conformant: 1 passed, 2 failed, 1 inconclusive, 3 skipped, 1 waived (level namespace, kubernetes v1.37.2, 2m14s): broken: UPD-04, UPD-05":                          everyVerdict(),
		"not conformant: 0 passed, 7 failed, 0 inconclusive, 0 skipped (level namespace, kubernetes v1.37.2, 2m14s): broken: UPD-04, UPD-04, UPD-04, UPD-04, UPD-04 and 2 more": many,
		"unfinished: 4 passed, 0 failed, 0 inconclusive, 0 skipped (level namespace, kubernetes v1.37.2)":                                                                       unfinished,
		"could not run: no access: the verb create is missing (level namespace)":                                                                                                &early,
		"interrupted: 4 passed, 0 failed, 0 inconclusive, 0 skipped (level namespace, kubernetes v1.37.2, 48s): SIGTERM":                                                        stopped,
	} {
		if got := r.Line(); got != want {
			t.Errorf("want %s\ngot  %s", want, got)
		}
	}
}
