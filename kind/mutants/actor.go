package mutants

import (
	"context"
	"fmt"

	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/kind/pkg/cluster/nodes"

	"rollcall.dev/rollcall/kind/nodeimage"
)

// actor breaks one component of a cluster and heals it.
type actor interface {
	// become breaks the component as a mutant says, and returns once the mutant
	// is the one in charge. The component may be another mutant before.
	become(context.Context, Mutant) error
	// broken tells whether the component is not its released self, by the doing
	// of this run or of an earlier one.
	broken(context.Context) (bool, error)
	// heal undoes what any mutant did, and returns once the released component
	// is in charge.
	heal(context.Context) error
}

// newActors returns the actors for the components of a cluster.
func newActors(client kubernetes.Interface, present []nodes.Node, built nodeimage.Built, kubectl *kubectl) (map[Component]actor, error) {
	var controlPlane nodes.Node
	var workers []nodes.Node
	for _, node := range present {
		role, err := node.Role()
		if err != nil {
			return nil, fmt.Errorf("node %s: %w", node, err)
		}
		switch role {
		case "control-plane":
			controlPlane = node
		case "worker":
			workers = append(workers, node)
		}
	}
	if controlPlane == nil || len(workers) == 0 {
		return nil, fmt.Errorf("mutants need a control-plane node and a worker, and here are %v", present)
	}
	leads := func(component Component) *staticPod {
		takeOver := func(ctx context.Context, before string) error {
			return handOver(ctx, client, string(component), before)
		}
		return &staticPod{component: component, takeOver: takeOver, client: client, node: controlPlane, built: built}
	}
	serving := func(ctx context.Context, _ string) error { return serves(ctx, client) }
	return map[Component]actor{
		Admission:         &admission{client: client},
		Kubectl:           kubectl,
		Scheduler:         leads(Scheduler),
		ControllerManager: leads(ControllerManager),
		Kubelet:           &kubelets{client: client, workers: workers, built: built},
		APIServer:         &staticPod{component: APIServer, takeOver: serving, client: client, node: controlPlane, built: built},
	}, nil
}
