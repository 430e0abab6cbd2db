package scene

import (
	"rollcall.dev/rollcall/fixtures"
	"rollcall.dev/rollcall/framework/node"
)

// PoolLabel is on the simulated nodes of a spec that belong together; its value
// is one that no other spec uses.
const PoolLabel = "rollcall.dev/pool"

// Pooled gives a simulated node the label of this spec's pool.
func (s *Scene) Pooled() node.SimulatedOption {
	return node.Labelled(map[string]string{PoolLabel: s.Namespace})
}

// AmongPool keeps Pods to the nodes of this spec's pool.
func (s *Scene) AmongPool() fixtures.PodOption {
	return fixtures.Among(PoolLabel, s.Namespace, node.FenceOf(s.RunID))
}
