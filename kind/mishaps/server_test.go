package mishaps

import (
	"context"
	"testing"
	"time"

	"rollcall.dev/rollcall/kind/host"
)

// A control plane that is frozen answers nobody and closes no connection, which is
// what a cut network looks like.
func TestAPIServerIsAwayForHalfAMinute(t *testing.T) {
	s := open(t)
	run := s.start("namespace", "coverage,initcontainers,termination")
	s.awaitNamespaces(run, 8)
	name := s.controlPlane().String()

	s.freeze(name, 30*time.Second)

	run.mustAccuseNobody()
}

// freeze stops everything in a node container for a while.
func (s *stage) freeze(name string, while time.Duration) {
	s.Helper()
	_, err := host.Run(s.Context(), "docker", "pause", name)
	s.must(err)
	time.Sleep(while)
	_, err = host.Run(context.Background(), "docker", "unpause", name)
	s.must(err)
}
