package scene

import (
	"context"
	"slices"
	"strings"

	"github.com/onsi/ginkgo/v2"

	"rollcall.dev/rollcall/framework/history"
	"rollcall.dev/rollcall/framework/node"
)

// Drain runs 'kubectl drain' on a node of this spec. That it fails is an answer
// and no failure.
func (s *Scene) Drain(ctx context.Context, name string, args ...string) node.Answer {
	ginkgo.GinkgoHelper()
	return s.Kubectl(ctx, "drain", name, args...)
}

// Kubectl runs kubectl's verb cordon, uncordon or drain on a node of this spec,
// or on one that is not in the cluster. The cordon that comes of it is in the
// journal before.
func (s *Scene) Kubectl(ctx context.Context, verb, name string, args ...string) node.Answer {
	ginkgo.GinkgoHelper()
	if verb == "drain" {
		s.mustCarryNoGuests(ctx, name)
	}
	if verb != "uncordon" {
		s.foresee(ctx, name)
	}
	command := append([]string{verb, name}, args...)
	s.History.Mark("kubectl " + strings.Join(command, " "))
	s.announce("running kubectl " + strings.Join(command, " "))
	answer, err := s.kubectl().Run(ctx, command...)
	Must(err)
	s.CatchUp(ctx, history.Node, history.Pod)
	return answer
}

// foresee writes a cordon into the journal, unless it is there already.
func (s *Scene) foresee(ctx context.Context, name string) {
	ginkgo.GinkgoHelper()
	if s.nodes[name] == nil && s.History.Latest().Node(name) == nil {
		return
	}
	mine, change := s.own(name), node.Cordon()
	mine.touched[change.String()] = true
	if slices.ContainsFunc(mine.open, func(r node.Record) bool { return r.Change.String() == change.String() }) {
		return
	}
	record, err := s.hand().Foresee(ctx, name, mine.uid, change)
	Must(err)
	mine.open = append(mine.open, record)
}

func (s *Scene) kubectl() node.Kubectl {
	if s.KubectlPath != "" {
		return node.Binary{Path: s.KubectlPath, Config: s.Config}
	}
	return node.Builtin{Config: s.Config}
}
