package suites

import (
	"rollcall.dev/rollcall/framework/run"
	"rollcall.dev/rollcall/suites/coverage"
	"rollcall.dev/rollcall/suites/drain"
	"rollcall.dev/rollcall/suites/initcontainers"
	"rollcall.dev/rollcall/suites/jobs"
	"rollcall.dev/rollcall/suites/nodes"
	"rollcall.dev/rollcall/suites/outages"
	"rollcall.dev/rollcall/suites/qos"
	"rollcall.dev/rollcall/suites/resources"
	"rollcall.dev/rollcall/suites/sidecars"
	"rollcall.dev/rollcall/suites/termination"
	"rollcall.dev/rollcall/suites/tolerations"
	"rollcall.dev/rollcall/suites/updates"
)

// All is every suite, in the order in which a report shows them.
var All = []run.Suite{
	{Area: coverage.Area, Specs: coverage.Specs},
	{Area: tolerations.Area, Specs: tolerations.Specs},
	{Area: nodes.Area, Specs: nodes.Specs},
	{Area: drain.Area, Specs: drain.Specs},
	{Area: updates.Area, Specs: updates.Specs},
	{Area: outages.Area, Specs: outages.Specs},
	{Area: initcontainers.Area, Specs: initcontainers.Specs},
	{Area: sidecars.Area, Specs: sidecars.Specs},
	{Area: resources.Area, Specs: resources.Specs},
	{Area: termination.Area, Specs: termination.Specs},
	{Area: qos.Area, Specs: qos.Specs},
	{Area: jobs.Area, Specs: jobs.Specs},
}
