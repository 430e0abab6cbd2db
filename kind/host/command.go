package host

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// Command is a program to run to its end.
type Command struct {
	Args  []string
	Dir   string
	Env   []string // added to our own environment
	Stdin io.Reader
	Log   io.Writer // receives what the program prints, beside the result
}

// Run runs a program and returns its standard output without the last newline.
// An error carries the last lines that the program printed: they are the reason
// that a person needs.
func Run(ctx context.Context, args ...string) (string, error) {
	return Command{Args: args}.Run(ctx)
}

// Run is Run for a command with more to say than its arguments.
func (c Command) Run(ctx context.Context) (string, error) {
	var stdout bytes.Buffer
	err := c.stream(ctx, &stdout)
	return strings.TrimRight(stdout.String(), "\n"), err
}

// Stream runs a program whose standard output goes to out.
func (c Command) Stream(ctx context.Context, out io.Writer) error {
	return c.stream(ctx, out)
}

func (c Command) stream(ctx context.Context, stdout io.Writer) error {
	cmd := exec.CommandContext(ctx, c.Args[0], c.Args[1:]...)
	cmd.Dir = c.Dir
	cmd.Env = append(os.Environ(), c.Env...)
	cmd.Stdin = c.Stdin
	// Asked first, killed later: a build that is interrupted removes its files.
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second

	tail := &tailWriter{limit: 2048}
	cmd.Stdout, cmd.Stderr = stdout, io.Writer(tail)
	if c.Log != nil {
		cmd.Stdout, cmd.Stderr = io.MultiWriter(stdout, c.Log), io.MultiWriter(tail, c.Log)
	}
	err := cmd.Run()
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return fmt.Errorf("%s: interrupted: %w", c.name(), context.Cause(ctx))
	}
	if reason := tail.lastLines(4); reason != "" {
		return fmt.Errorf("%s: %w: %s", c.name(), err, reason)
	}
	return fmt.Errorf("%s: %w", c.name(), err)
}

// name is the program and its first word, which is what tells one call from
// another ("docker commit", "go build").
func (c Command) name() string {
	return strings.Join(c.Args[:min(2, len(c.Args))], " ")
}

// tailWriter keeps the end of what is written to it.
type tailWriter struct {
	limit int
	kept  []byte
}

func (t *tailWriter) Write(data []byte) (int, error) {
	t.kept = append(t.kept, data...)
	if extra := len(t.kept) - t.limit; extra > 0 {
		t.kept = t.kept[extra:]
	}
	return len(data), nil
}

func (t *tailWriter) lastLines(n int) string {
	lines := strings.Split(strings.TrimSpace(string(t.kept)), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "; ")
}
