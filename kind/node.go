package kind

import (
	"context"
	"fmt"
	"os"
	"path"
	"strings"

	"sigs.k8s.io/kind/pkg/cluster/nodes"
	"sigs.k8s.io/kind/pkg/exec"
)

// Exec runs a command in a node container and returns its standard output
// without the last newline. An error carries what the command printed.
func Exec(ctx context.Context, node nodes.Node, command string, args ...string) (string, error) {
	var out strings.Builder
	err := node.CommandContext(ctx, command, args...).SetStdout(&out).Run()
	if err == nil {
		return strings.TrimRight(out.String(), "\n"), nil
	}
	reason := ""
	if run := exec.RunErrorForError(err); run != nil {
		reason = ": " + strings.TrimSpace(string(run.Output))
	}
	return "", fmt.Errorf("%s on %s: %w%s", command, node, err, reason)
}

// CopyIn copies a file of this machine into a node container. A running program
// of that name keeps its file; the next start takes the new one.
func CopyIn(ctx context.Context, node nodes.Node, local, remote string, mode os.FileMode) error {
	file, err := os.Open(local)
	if err != nil {
		return err
	}
	defer file.Close()
	const script = `mkdir -p "$1" && cat >"$2.new" && chmod "$3" "$2.new" && mv -f "$2.new" "$2"`
	err = node.CommandContext(ctx, "sh", "-c", script, "copy-in",
		path.Dir(remote), remote, fmt.Sprintf("%o", mode.Perm())).SetStdin(file).Run()
	if err != nil {
		return fmt.Errorf("cannot copy %s to %s on %s: %w", local, remote, node, err)
	}
	return nil
}
