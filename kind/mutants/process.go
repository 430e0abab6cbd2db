package mutants

import (
	"context"
	"fmt"
	"path"
	"strings"
	"time"

	"sigs.k8s.io/kind/pkg/cluster/nodes"

	"rollcall.dev/rollcall/kind"
	"rollcall.dev/rollcall/kind/nodeimage"
)

// nodeDir holds all that we put on a node: a folder for each build, what is to be
// awake, and the manifests as they were. It is in the node container, so it goes
// with it.
const nodeDir = "/kind/rollcall-mutants"

// programOn is where a build is on a node.
func programOn(built nodeimage.Built) string { return path.Join(nodeDir, built.Key, "kubernetes") }

// install makes sure that a node has the build, and no older one.
func install(ctx context.Context, node nodes.Node, built nodeimage.Built) error {
	program := programOn(built)
	if _, err := kind.Exec(ctx, node, "test", "-x", program); err == nil {
		return nil
	}
	if _, err := kind.Exec(ctx, node, "sh", "-c", `for old in "$1"/*/kubernetes; do rm -rf "${old%/*}"; done`, "install", nodeDir); err != nil {
		return err
	}
	return kind.CopyIn(ctx, node, built.Path, program, 0o755)
}

// process is a running component, as the kernel of its node knows it.
type process struct {
	pid string
	// program is which of our builds it runs; empty for the released component.
	program string
}

// processScript prints a line for each process of a component. The kernel's
// word is the proof: a file on disk says nothing about what runs.
const processScript = `for dir in /proc/[0-9]*; do
  IFS= read -r -d '' called <"$dir/cmdline" || continue
  [ "${called##*/}" = "$1" ] || continue
  program=-
  for build in "$2"/*/kubernetes; do [ "$dir/exe" -ef "$build" ] && program=$build; done
  echo "${dir#/proc/} $program"
done 2>/dev/null`

func processesOf(ctx context.Context, node nodes.Node, component string) ([]process, error) {
	answer, err := kind.Exec(ctx, node, "bash", "-c", processScript, "processes", component, nodeDir)
	if err != nil {
		return nil, err
	}
	return parseProcesses(answer)
}

func parseProcesses(answer string) ([]process, error) {
	var found []process
	for _, line := range strings.Split(answer, "\n") {
		if line == "" {
			continue
		}
		fields := strings.Fields(line)
		if len(fields) != 2 {
			return nil, fmt.Errorf("%q describes no process", line)
		}
		found = append(found, process{pid: fields[0], program: strings.TrimPrefix(fields[1], "-")})
	}
	return found, nil
}

// prove returns the one process of a component on a node once it runs that
// program, which is empty for the released component. It asks until then: nobody
// can watch the processes of a node.
func prove(ctx context.Context, node nodes.Node, component, program string) (process, error) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		found, err := processesOf(ctx, node, component)
		if err == nil && len(found) == 1 && found[0].program == program {
			return found[0], nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return process{}, fmt.Errorf("%w: %s on %s should be %s, and is %v %v", context.Cause(ctx), component, node, describe(program), found, err)
		}
	}
}

// standsIn tells whether a component runs a build of ours, and only that.
func standsIn(ctx context.Context, node nodes.Node, component, program string) bool {
	found, err := processesOf(ctx, node, component)
	return err == nil && len(found) == 1 && found[0].program == program
}

func (p process) String() string { return "process " + p.pid + ", " + describe(p.program) }

func describe(program string) string {
	if program == "" {
		return "the released one"
	}
	return program
}

// disturbed tells whether any process of a component is not the released one.
func disturbed(ctx context.Context, node nodes.Node, component string) (bool, error) {
	found, err := processesOf(ctx, node, component)
	for _, p := range found {
		if p.program != "" {
			return true, err
		}
	}
	return false, err
}

func exists(ctx context.Context, node nodes.Node, file string) bool {
	_, err := kind.Exec(ctx, node, "test", "-e", file)
	return err == nil
}
