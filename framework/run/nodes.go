package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"rollcall.dev/rollcall/framework/cluster"
	"rollcall.dev/rollcall/framework/exit"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/node"
	"rollcall.dev/rollcall/framework/requirement"
)

// heal undoes what dead runs did to nodes, and reports whether there was
// anything. A run that may not write to nodes only tells of it.
func (r *running) heal(ctx context.Context) (bool, error) {
	if !r.settings.Level.Reaches(requirement.Simulated) {
		// Whoever may not read the journal learns nothing; a run that keeps its
		// hands off nodes can do without.
		stale, _ := node.Stale(ctx, r.connection, r.settings.Namespace)
		if len(stale) > 0 {
			r.warn([]string{"nodes are not as they were: " + strings.Join(stale, "; ") + "; 'rollcall cleanup' undoes that"})
		}
		return false, nil
	}
	told, err := node.UndoDead(ctx, r.connection, r.settings.Namespace)
	for _, line := range told {
		fmt.Fprintln(r.out, "an earlier run:", line)
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		err = exit.Environmentf("what an earlier run did to nodes cannot be undone: %w", err)
	}
	return len(told) > 0, err
}

// survey looks at what the levels simulated and node need: a lent node that must
// not be disturbed as it is gets taken off the list.
func (r *running) survey(ctx context.Context, findings *cluster.Findings) error {
	if r.settings.Level.Reaches(requirement.Simulated) {
		delete(findings.Lacking, requirement.NodeObjects)
		hand := node.Hand{Client: r.connection.Client, Namespace: r.settings.Namespace, Run: r.report.Run.ID}
		if err := hand.TrySimulate(ctx); err != nil {
			findings.Lacking[requirement.NodeObjects] = "the cluster refuses a Node object of rollcall: " + err.Error()
		}
	}
	if !r.settings.Level.Reaches(requirement.Node) {
		return nil
	}
	refused, err := r.refuseLent(ctx)
	if err != nil {
		return exit.Environmentf("looking at the lent nodes: %w", err)
	}
	findings.Warnings = append(findings.Warnings, refused...)
	if len(refused) > 0 && len(r.lent()) == 0 {
		findings.Lacking[requirement.LentNode] = "no lent node may be used: " + strings.Join(refused, "; ")
	}
	return nil
}

// refuseLent takes the nodes off the list of lent ones that must not be
// disturbed, and returns the reasons.
func (r *running) refuseLent(ctx context.Context) ([]string, error) {
	var refused []string
	for i := range r.facts.Nodes {
		each := &r.facts.Nodes[i]
		if !each.Lent {
			continue
		}
		why, err := node.Refusal(ctx, r.connection.Client, &each.Node, r.settings.EvictOthers)
		if err != nil {
			return nil, err
		}
		if why != "" {
			each.Lent = false
			refused = append(refused, fmt.Sprintf("node %s is lent and left alone: %s", each.Name, why))
		}
	}
	for i, known := range r.report.Cluster.Nodes {
		r.report.Cluster.Nodes[i].Lent = known.Lent && r.lent()[known.Name] != ""
	}
	return slices.Clip(refused), nil
}

// lent returns the nodes that specs may disturb.
func (r *running) lent() map[string]types.UID {
	lent := map[string]types.UID{}
	for _, each := range r.facts.Nodes {
		if each.Lent {
			lent[each.Name] = each.UID
		}
	}
	return lent
}

// restoreNodes undoes what workers that died did to nodes. It is done even when
// the run was told to stop.
func (r *running) restoreNodes(ctx context.Context) error {
	if !r.settings.Level.Reaches(requirement.Simulated) {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Duration(float64(limit.Teardown.For)*r.settings.Scale))
	defer cancel()
	told, err := node.Undo(ctx, r.connection.Client, r.settings.Namespace, r.report.Run.ID)
	for _, line := range told {
		fmt.Fprintln(r.out, "a spec could not clean up after itself:", line)
	}
	if err != nil {
		return exit.Environmentf("nodes are not as they were: %w; 'rollcall cleanup' tries again", err)
	}
	return nil
}
