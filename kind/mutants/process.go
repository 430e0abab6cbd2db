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

// nodeDir holds all that we put on a node: a folder for each build, and the
// manifests as they were. It is in the node container, so it goes with it.
const nodeDir = "/kind/rollcall-mutants"

// programOn is where a build is on a node.
func programOn(built nodeimage.Built) string { return path.Join(nodeDir, built.Key, "kubernetes") }

// install makes sure that a node has the build, and no older one.
func install(ctx context.Context, node nodes.Node, built nodeimage.Built) error {
	program := programOn(built)
	if _, err := kind.Exec(ctx, node, "test", "-x", program); err == nil {
		return nil
	}
	if _, err := kind.Exec(ctx, node, "sh", "-c", `rm -rf "$1"/*/`, "install", nodeDir); err != nil {
		return err
	}
	return kind.CopyIn(ctx, node, built.Path, program, 0o755)
}

// process is a running component, as the kernel of its node knows it.
type process struct {
	pid string
	// program is which of our builds it runs, and mutant is what it was told to
	// be; both are empty for the released component.
	program, mutant string
}

// processScript prints a line for each process of a component. The kernel's
// word is the proof: a file on disk says nothing about what runs.
const processScript = `for dir in /proc/[0-9]*; do
  IFS= read -r -d '' called <"$dir/cmdline" || continue
  [ "${called##*/}" = "$1" ] || continue
  program=- mutant=-
  for build in "$2"/*/kubernetes; do [ "$dir/exe" -ef "$build" ] && program=$build; done
  while IFS= read -r -d '' variable; do
    case $variable in "$3="?*) mutant=${variable#*=};; esac
  done <"$dir/environ"
  echo "${dir#/proc/} $program $mutant"
done 2>/dev/null`

func processesOf(ctx context.Context, node nodes.Node, component string) ([]process, error) {
	answer, err := kind.Exec(ctx, node, "bash", "-c", processScript, "processes", component, nodeDir, switchEnv)
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
		if len(fields) != 3 {
			return nil, fmt.Errorf("%q describes no process", line)
		}
		for i := range fields {
			fields[i] = strings.TrimPrefix(fields[i], "-")
		}
		found = append(found, process{pid: fields[0], program: fields[1], mutant: fields[2]})
	}
	return found, nil
}

// prove returns the one process of a component on a node once it is the mutant
// of that name out of that program; both are empty for the released component.
// It asks until then: nobody can watch the processes of a node.
func prove(ctx context.Context, node nodes.Node, component, program, mutant string) (process, error) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		found, err := processesOf(ctx, node, component)
		if err == nil && len(found) == 1 && found[0].program == program && found[0].mutant == mutant {
			return found[0], nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return process{}, fmt.Errorf("%w: %s on %s should be %s, and is %v %v", context.Cause(ctx), component, node, describe(program, mutant), found, err)
		}
	}
}

func (p process) String() string { return "process " + p.pid + ", " + describe(p.program, p.mutant) }

func describe(program, mutant string) string {
	switch {
	case program == "" && mutant == "":
		return "the released one"
	case program == "":
		return "the released one with the name of mutant " + mutant
	case mutant == "":
		return program + " with no mutant awake"
	default:
		return "mutant " + mutant + " of " + program
	}
}

// disturbed tells whether any process of a component is not the released one.
func disturbed(ctx context.Context, node nodes.Node, component string) (bool, error) {
	found, err := processesOf(ctx, node, component)
	for _, p := range found {
		if p.program != "" || p.mutant != "" {
			return true, err
		}
	}
	return false, err
}

func exists(ctx context.Context, node nodes.Node, file string) bool {
	_, err := kind.Exec(ctx, node, "test", "-e", file)
	return err == nil
}
