package suites

import (
	"rollcall.dev/rollcall/framework/run"
	"rollcall.dev/rollcall/suites/initcontainers"
	"rollcall.dev/rollcall/suites/qos"
)

// All is every suite, in the order in which a report shows them.
var All = []run.Suite{
	{Area: initcontainers.Area, Specs: initcontainers.Specs},
	{Area: qos.Area, Specs: qos.Specs},
}
