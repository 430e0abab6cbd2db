package mutants

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"rollcall.dev/rollcall/framework/report"
	"rollcall.dev/rollcall/framework/requirement"
)

// rollcall runs `rollcall run` against the cluster, as a child process: that is
// what a user does, and a process can list its specs only once.
type rollcall struct {
	program, kubeconfig, context, image string
	scale                               float64
	out                                 string // a folder for the folders of all runs
	kubectl                             *kubectl
}

// run checks what focus names and returns the report. Its folder is named for
// what the cluster is at this time.
func (r rollcall) run(ctx context.Context, name string, level requirement.Level, focus []string) (*report.ConformanceReport, error) {
	folder := filepath.Join(r.out, name)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	log, err := os.Create(filepath.Join(folder, "run.log"))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	code, last, err := execute(ctx, log, r.environment(), append([]string{r.program}, r.args(folder, level, focus)...))
	if err != nil {
		return nil, err
	}
	found, err := report.ReadFile(filepath.Join(folder, "report.json"))
	switch {
	case err == nil && found.Conclusion.ExitCode() == code && code <= 2:
		return found, nil
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	default:
		return nil, fmt.Errorf("rollcall could not check it (exit code %d): %s; see %s", code, last, log.Name())
	}
}

func (r rollcall) args(folder string, level requirement.Level, focus []string) []string {
	args := []string{
		"run", "--kubeconfig", r.kubeconfig, "--context", r.context, "--image", r.image, "--namespace", home,
		"--level", string(level), "--focus", strings.Join(focus, ","), "--out", folder,
		"--timeout-scale", strconv.FormatFloat(r.scale, 'g', -1, 64),
	}
	if r.kubectl.mutant != "" {
		args = append(args, "--kubectl", r.kubectl.program())
	}
	return args
}

func (r rollcall) environment() []string {
	return append(os.Environ(), nameEnv+"="+r.kubectl.mutant)
}

// leaveTime is what a run that is told to stop may take to clean up and to write
// its report.
const leaveTime = 2 * time.Minute

// execute runs a command with its output in a log, and returns its exit code
// and the last line that it printed.
func execute(ctx context.Context, log io.Writer, environment, command []string) (code int, last string, err error) {
	var output bytes.Buffer
	child := exec.CommandContext(ctx, command[0], command[1:]...)
	child.Env = environment
	child.Stdout = io.MultiWriter(log, &output)
	child.Stderr = child.Stdout
	child.Cancel = func() error { return child.Process.Signal(syscall.SIGTERM) }
	child.WaitDelay = leaveTime
	err = child.Run()
	lines := strings.Split(strings.TrimSpace(output.String()), "\n")
	last = lines[len(lines)-1]
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode(), last, nil
	}
	if ctx.Err() != nil { // it was told to stop, and ended well
		return 0, last, context.Cause(ctx)
	}
	return 0, last, err
}
