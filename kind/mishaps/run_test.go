package mishaps

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"rollcall.dev/rollcall/framework/report"
)

// longest is how long a run of these tests may take: one that takes longer hangs.
const longest = 10 * time.Minute

// run is `rollcall run` under way.
type run struct {
	*stage
	command *exec.Cmd
	output  bytes.Buffer
	folder  string
	// ended is closed when the run has; code is then its exit code.
	ended chan struct{}
	code  int
}

// start begins a run at a level that checks what focus names.
func (s *stage) start(level, focus string) *run {
	s.Helper()
	folder, err := os.MkdirTemp(s.folder(), "run-")
	s.must(err)
	r := &run{stage: s, folder: folder, ended: make(chan struct{})}
	r.command = exec.Command(*program,
		"run", "--context", s.connection.Context, "--image", *image, "--level", level, "--focus", focus, "--out", folder)
	r.command.Stdout, r.command.Stderr = &r.output, &r.output
	s.must(r.command.Start())
	go r.wait()
	s.Cleanup(r.keep) // whatever happens to the test
	return r
}

func (r *run) wait() {
	defer close(r.ended)
	var exit *exec.ExitError
	if err := r.command.Wait(); errors.As(err, &exit) {
		r.code = exit.ExitCode()
	}
}

// stop asks the run to end.
func (r *run) stop() { _ = r.command.Process.Signal(syscall.SIGTERM) }

// alive ends with the run, or when that takes too long.
func (r *run) alive() context.Context {
	ctx, cancel := context.WithTimeoutCause(r.Context(), longest, errors.New("it hangs"))
	go func() {
		<-r.ended
		cancel()
	}()
	return ctx
}

// keep ends a run that is still there, and keeps its output.
func (r *run) keep() {
	r.stop()
	<-r.ended
	_ = os.WriteFile(filepath.Join(r.folder, "run.log"), r.output.Bytes(), 0o644)
}

// kill ends the run and its workers at once, as a machine that loses its power.
func (r *run) kill() {
	r.Helper()
	parent := r.command.Process.Pid
	// pgrep knows the children of a process on every system.
	children, err := exec.Command("pgrep", "-P", strconv.Itoa(parent)).Output()
	if err != nil {
		r.Fatalf("the run has no workers: %v", err)
	}
	victims := append([]string{"-KILL", strconv.Itoa(parent)}, strings.Fields(string(children))...)
	if output, err := exec.Command("kill", victims...).CombinedOutput(); err != nil {
		r.Errorf("kill: %v %s", err, output)
	}
	<-r.ended
}

// end waits for the run and returns its exit code, and its report if it has one.
func (r *run) end() (int, *report.ConformanceReport) {
	r.Helper()
	ctx, cancel := context.WithTimeout(r.Context(), longest)
	defer cancel()
	select {
	case <-r.ended:
	case <-ctx.Done():
		r.Fatalf("the run hangs:\n%s", r.tail())
	}
	found, err := report.ReadFile(filepath.Join(r.folder, "report.json"))
	if errors.Is(err, os.ErrNotExist) {
		return r.code, nil
	}
	r.must(err)
	return r.code, found
}

// mustSay ends the test unless the run has the exit code and said the words.
func (r *run) mustSay(code int, words ...string) *report.ConformanceReport {
	r.Helper()
	got, found := r.end()
	if got != code {
		r.Fatalf("exit code %d, not %d:\n%s", got, code, r.tail())
	}
	for _, each := range words {
		if !strings.Contains(r.output.String(), each) {
			r.Errorf("the run does not say %q:\n%s", each, r.tail())
		}
	}
	return found
}

// mustAccuseNobody ends the test if the run calls a conformant cluster anything
// worse than unclear, or loses a verdict.
func (r *run) mustAccuseNobody() *report.ConformanceReport {
	r.Helper()
	code, found := r.end()
	if found == nil || (code != 0 && code != 2) {
		r.Fatalf("exit code %d:\n%s", code, r.tail())
	}
	if found.Counts.Failed > 0 || found.Counts.Passed == 0 {
		r.Errorf("%+v:\n%s", found.Counts, r.tail())
	}
	for _, result := range found.Results {
		if result.Verdict == "" {
			r.Errorf("%s has no verdict", result.ID)
		}
	}
	r.Logf("exit code %d, %s: %+v", code, found.Conclusion, found.Counts)
	return found
}

// verdictOn is what a report says of a requirement, and why.
func verdictOn(found *report.ConformanceReport, id string) (report.Verdict, string) {
	for _, result := range found.Results {
		if result.ID == id {
			said := result.Reason
			for _, spec := range result.Specs {
				said += "\n" + spec.Message
			}
			return result.Verdict, said
		}
	}
	return "", ""
}

// tail is the last that the run said.
func (r *run) tail() string {
	said := r.output.String()
	return said[max(0, len(said)-4000):]
}
