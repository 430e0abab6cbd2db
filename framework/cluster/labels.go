package cluster

// The labels and names by which rollcall knows its own.
const (
	// RunLabel is on everything that a run creates; its value is the run's ID.
	RunLabel = "rollcall.dev/run"
	// LentLabel marks a node, with the value true, as free to disturb.
	LentLabel = "rollcall.dev/lent"
	// SimulatedLabel is on every Node object that rollcall made without a machine
	// behind it; its value is the node's name.
	SimulatedLabel = "rollcall.dev/simulated"
	// ManagedByLabel is on everything that rollcall creates.
	ManagedByLabel = "app.kubernetes.io/managed-by"
	// ManagedBy is the value of ManagedByLabel.
	ManagedBy = "rollcall"
	// DefaultNamespace is rollcall's own namespace where no other is asked for.
	DefaultNamespace = "rollcall"
)

// Labels returns the labels that every object of a run carries.
func Labels(runID string) map[string]string {
	return map[string]string{RunLabel: runID, ManagedByLabel: ManagedBy}
}
