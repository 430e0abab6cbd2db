package initcontainers

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/fixtures/workload"
)

// turns is the file in which containers note their turns. Its lines stand in
// the order in which they were written, so it is the containers' own witness,
// finer than the seconds of a status.
var turns = fixtures.SharedFile("turns")

// turn notes a container's beginning and end, with a second between them in
// which another container would be noticed.
func turn(name string) []workload.Step {
	return []workload.Step{workload.Append(turns, name+" begins"), workload.Sleep(time.Second), workload.Append(turns, name+" ends")}
}

// takesTurn is a container that notes its turn and then does more.
func takesTurn(name string, more ...workload.Step) corev1.Container {
	return fixtures.Container(name, append(turn(name), more...)...)
}
