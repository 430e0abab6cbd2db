package kind

import (
	"fmt"
	"strings"

	"sigs.k8s.io/kind/pkg/errors"
	"sigs.k8s.io/kind/pkg/exec"
	"sigs.k8s.io/kind/pkg/log"

	"rollcall.dev/rollcall/kind/progress"
)

// logger shows what kind tells a user, as lines beneath the running step.
type logger struct{ progress *progress.Printer }

var _ log.Logger = logger{}

func (l logger) Warn(message string)               { l.note(message) }
func (l logger) Warnf(format string, args ...any)  { l.note(fmt.Sprintf(format, args...)) }
func (l logger) Error(message string)              { l.note(message) }
func (l logger) Errorf(format string, args ...any) { l.note(fmt.Sprintf(format, args...)) }

func (l logger) V(level log.Level) log.InfoLogger {
	if level > 0 {
		return log.NoopInfoLogger{}
	}
	return l
}

func (l logger) Info(message string)              { l.note(message) }
func (l logger) Infof(format string, args ...any) { l.note(fmt.Sprintf(format, args...)) }
func (l logger) Enabled() bool                    { return true }

// note prints the lines that end something; kind announces each of its steps
// before as well. Its pictures are left out: they are boxes on many terminals.
func (l logger) note(message string) {
	message = strings.TrimSpace(message)
	if message == "" || strings.HasPrefix(message, "•") || strings.HasPrefix(message, "Creating cluster") ||
		strings.HasPrefix(message, "Deleted nodes") {
		return
	}
	l.progress.Note("%s", strings.TrimSpace(strings.Map(plain, message)))
}

func plain(r rune) rune {
	if r > 0x7f && r != '✓' && r != '✗' {
		return -1
	}
	return r
}

// explain adds the last lines of a command that kind ran in vain; kind's own
// error names the command only.
func explain(err error) error {
	run := exec.RunErrorForError(err)
	if run == nil {
		return err
	}
	lines := strings.Split(strings.TrimSpace(string(run.Output)), "\n")
	return errors.Errorf("%v: %s", err, strings.Join(lines[max(0, len(lines)-6):], "; "))
}
