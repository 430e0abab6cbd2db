package judge_test

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"

	"rollcall.dev/rollcall/framework/judge"
)

func status(desired, current, ready, available, unavailable, updated, misscheduled int32) appsv1.DaemonSetStatus {
	return appsv1.DaemonSetStatus{
		DesiredNumberScheduled: desired, CurrentNumberScheduled: current, NumberReady: ready, NumberAvailable: available,
		NumberUnavailable: unavailable, UpdatedNumberScheduled: updated, NumberMisscheduled: misscheduled,
	}
}

func generation(spec, observed int64) func(*appsv1.DaemonSet) {
	return func(d *appsv1.DaemonSet) { d.Generation, d.Status.ObservedGeneration = spec, observed }
}

func TestObserved(t *testing.T) {
	complete := reporting(status(2, 2, 2, 2, 0, 2, 0))
	claim := judge.Observed("agent", "two ready", func(s appsv1.DaemonSetStatus) bool { return s.NumberReady == 2 })

	holds(t, claim, tell(added(agent(complete))))
	holds(t, claim, tell(added(agent(complete, generation(2, 3)))))

	breaks(t, claim, tell(), "there is no such DaemonSet")
	breaks(t, claim, tell(added(agent(complete, generation(2, 1)))), "still that of generation 1, not 2")
	breaks(t, claim, tell(added(agent(reporting(status(2, 2, 1, 1, 1, 2, 0))))), "ready 1")
}

func TestComplete(t *testing.T) {
	cluster, nodes := threeNodes()
	claim := judge.Complete("agent", nodes)

	holds(t, claim, tell(with(cluster, added(agent(reporting(status(2, 2, 2, 2, 0, 2, 0)))))...))
	// The foreign node is counted, ready or not.
	holds(t, claim, tell(with(cluster, added(agent(reporting(status(3, 3, 3, 3, 0, 3, 0)))))...))
	holds(t, claim, tell(with(cluster, added(agent(reporting(status(3, 3, 2, 2, 1, 3, 0)))))...))
	// Another one that came later counts too, and one that left does not.
	holds(t, claim, tell(with(cluster, added(node("late")), added(agent(reporting(status(4, 4, 2, 2, 2, 4, 0)))))...))
	breaks(t, claim, tell(with(cluster, removed(node("virtual")), added(agent(reporting(status(3, 3, 3, 3, 0, 3, 0)))))...), "desired 3")
	// One that the DaemonSet does not match never counts.
	breaks(t, claim, tell(with(cluster, removed(node("virtual")), added(node("late", taint("own", "NoSchedule"))),
		added(agent(reporting(status(3, 3, 3, 3, 0, 3, 0)))))...), "desired 3")

	for name, found := range map[string]appsv1.DaemonSetStatus{
		"nothing at all":  status(0, 0, 0, 0, 0, 0, 0),
		"one desired":     status(1, 1, 1, 1, 0, 1, 0),
		"four desired":    status(4, 4, 4, 4, 0, 4, 0),
		"one scheduled":   status(2, 1, 2, 2, 0, 2, 0),
		"one ready":       status(2, 2, 1, 2, 0, 2, 0),
		"one available":   status(2, 2, 2, 1, 0, 2, 0),
		"two unavailable": status(2, 2, 2, 2, 2, 2, 0),
		"one updated":     status(2, 2, 2, 2, 0, 1, 0),
		"two misplaced":   status(2, 2, 2, 2, 0, 2, 2),
	} {
		t.Run(name, func(t *testing.T) { breaks(t, claim, tell(with(cluster, added(agent(reporting(found))))...)) })
	}
}

func TestScheduledUnreadyUnplaced(t *testing.T) {
	cluster, nodes := threeNodes()
	scheduled, unready, unplaced := judge.Scheduled("agent", nodes), judge.Unready("agent", nodes), judge.Unplaced("agent", nodes)
	for _, c := range []struct {
		name                         string
		status                       appsv1.DaemonSetStatus
		scheduled, unready, unplaced bool
	}{
		{"nothing placed", status(2, 0, 0, 0, 2, 0, 0), false, false, true},
		{"placed, none ready", status(2, 2, 0, 0, 2, 2, 0), true, true, false},
		{"placed, all ready", status(2, 2, 2, 2, 0, 2, 0), true, false, false},
		{"ready and not available", status(2, 2, 2, 0, 2, 2, 0), true, false, false},
		{"the foreign node ready", status(3, 3, 1, 1, 2, 3, 0), true, true, false},
		{"too few unavailable", status(2, 2, 0, 0, 0, 2, 0), true, false, false},
		{"nothing desired", status(0, 0, 0, 0, 0, 0, 0), false, false, false},
		{"two misplaced", status(2, 2, 0, 0, 2, 2, 2), false, false, false},
	} {
		h := tell(with(cluster, added(agent(reporting(c.status))))...)
		for claim, want := range map[*judge.Condition]bool{&scheduled: c.scheduled, &unready: c.unready, &unplaced: c.unplaced} {
			if got, _ := claim.Match(h); got != want {
				t.Errorf("%s: %q is %t", c.name, claim.Claim, got)
			}
		}
	}
}

func TestCountsNodes(t *testing.T) {
	claim := judge.CountsNodes("agent")
	good := []step{
		added(agent()),
		changed(agent(reporting(status(2, 2, 1, 1, 1, 2, 0)))),
		changed(agent(reporting(status(2, 2, 2, 1, 1, 0, 0)))),
	}
	holds(t, claim, tell(good...))
	for name, found := range map[string]appsv1.DaemonSetStatus{
		"Pods counted as scheduled": status(2, 3, 2, 2, 0, 2, 0),
		"Pods counted as ready":     status(2, 2, 3, 2, 0, 2, 0),
		"Pods counted as updated":   status(2, 2, 2, 2, 0, 4, 0),
		"available and not ready":   status(2, 2, 1, 2, 0, 2, 0),
		"unavailable does not add":  status(2, 2, 2, 2, 1, 2, 0),
	} {
		t.Run(name, func(t *testing.T) {
			breaks(t, claim, tell(with(good, changed(agent(reporting(found))), changed(agent()))...), "desired 2")
		})
	}
}

func TestObservedFollows(t *testing.T) {
	claim := judge.ObservedFollows(agentUID)
	holds(t, claim, tell(added(agent(generation(1, 0))), changed(agent(generation(1, 1))), changed(agent(generation(2, 1))), changed(agent(generation(2, 2)))))

	breaks(t, claim, tell(added(agent(generation(1, 2)))), "observed 2 after 0, at generation 1")
	breaks(t, claim, tell(added(agent(generation(2, 2))), changed(agent(generation(3, 1)))), "observed 1 after 2")
}
