package mutants

import (
	"context"
	"fmt"
	"path"
	"time"

	"sigs.k8s.io/kind/pkg/cluster/nodes"

	"rollcall.dev/rollcall/kind"
)

// The switch is a module of its own that is added to the copy of Kubernetes. It
// says which mutant is awake, and it imports nothing of Kubernetes, so that
// everything can import it.
const (
	switchPackage = "rollcallmutant"
	switchModule  = "rollcall.dev/" + switchPackage
	switchFile    = staging + switchModule + "/mutant.go"
	switchModFile = staging + switchModule + "/go.mod"
	switchMod     = "module " + switchModule + "\n\ngo 1.26\n"
)

// A process is told by its environment what it is. If it is named a folder, it
// follows what a file there says and answers in another: going from one mutant to
// the next then costs neither a build nor a restart.
const (
	nameEnv    = "ROLLCALL_MUTANT"
	folderEnv  = "ROLLCALL_MUTANT_DIR"
	awakeFile  = "awake"  // a number that is never used again, and the mutant that a process shall be
	answerFile = "answer" // the same, once the process is
)

// follows is the folder of a component on a node.
func follows(component Component) string { return path.Join(nodeDir, "follows", string(component)) }

const switchSource = `// Package rollcallmutant says which mutant this process is.
package rollcallmutant

import (
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"
)

var awake atomic.Value

func init() {
	awake.Store(os.Getenv("` + nameEnv + `"))
	if dir := os.Getenv("` + folderEnv + `"); dir != "" {
		go follow(dir)
	}
}

func follow(dir string) {
	for last := ""; ; time.Sleep(100 * time.Millisecond) {
		content, err := os.ReadFile(filepath.Join(dir, "` + awakeFile + `"))
		if err != nil || string(content) == last {
			continue
		}
		_, name, _ := strings.Cut(string(content), " ")
		awake.Store(name)
		if os.WriteFile(filepath.Join(dir, "` + answerFile + `"), content, 0o644) == nil {
			last = string(content)
		}
	}
}

// Is reports whether this process is the mutant of that name.
func Is(name string) bool { return awake.Load() == name }

// Pick returns the first in a mutant, and else the second.
func Pick[T any](mutant bool, first, second T) T {
	if mutant {
		return first
	}
	return second
}
`

// awaken makes the component on a node the mutant of that name, and returns once
// it says that it is.
func awaken(ctx context.Context, node nodes.Node, component Component, name string) error {
	said := fmt.Sprintf("%d %s", time.Now().UnixNano(), name)
	const script = `mkdir -p "$1" && printf %s "$2" >"$1/$3.new" && mv "$1/$3.new" "$1/$3"`
	if _, err := kind.Exec(ctx, node, "sh", "-c", script, "awaken", follows(component), said, awakeFile); err != nil {
		return err
	}
	tick := time.NewTicker(100 * time.Millisecond) // nobody can watch the files of a node
	defer tick.Stop()
	for {
		answer, err := kind.Exec(ctx, node, "cat", path.Join(follows(component), answerFile))
		if err == nil && answer == said {
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("%w: %s on %s should say %q, and says %q %v", context.Cause(ctx), component, node, said, answer, err)
		}
	}
}
