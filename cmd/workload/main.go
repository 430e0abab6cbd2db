// Command workload is what every container of a spec runs: see the package
// fixtures/workload for its language.
package main

import (
	"os"

	"rollcall.dev/rollcall/fixtures/workload"
)

func main() { os.Exit(workload.Run(os.Args[1:])) }
