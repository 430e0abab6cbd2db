package sidecars

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/fixtures/workload"
)

// standstill is how long a Pod is watched at a gate. A kubelet that would go on
// does so within the second in which it starts the container at the gate.
const standstill = 3 * time.Second

// turns is the file in which containers note their turns. Its lines stand in
// the order in which they were written, so it is the containers' own witness.
var turns = fixtures.SharedFile("turns")

// attempts is the file in which a container that fails once counts.
var attempts = fixtures.SharedFile("attempts")

func probed(container corev1.Container, startup, readiness *corev1.Probe) corev1.Container {
	container.StartupProbe, container.ReadinessProbe = startup, readiness
	return container
}

// never is a probe that never succeeds and never gives up.
func never() *corev1.Probe { return fixtures.Probe(workload.Exit(1)) }

// lastWords is a sidecar or app that notes when it is asked to end and when it
// does, some time later.
func lastWords(name string, takes time.Duration, more ...workload.Step) []workload.Step {
	steps := []workload.Step{workload.Append(turns, name+" is asked to end"), workload.Sleep(takes), workload.Append(turns, name+" ends")}
	return []workload.Step{workload.OnTerm(append(steps, more...)...), workload.Serve()}
}
