package suites

import (
	"rollcall.dev/rollcall/framework/run"
)

// All is every suite, in the order in which a report shows them.
var All = []run.Suite{}
