package progress

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// Printer writes the lines. A nil Printer writes nothing, so a caller that does
// not care for progress can leave it out.
type Printer struct {
	mu  sync.Mutex
	out io.Writer
	now func() time.Time
}

// New returns a Printer that writes to out.
func New(out io.Writer) *Printer {
	return &Printer{out: out, now: time.Now}
}

// Step is one piece of work that has been announced and not yet ended.
type Step struct {
	printer *Printer
	title   string
	started time.Time
}

// Start announces a step. A zero estimate leaves the "about" out.
func (p *Printer) Start(title string, estimate time.Duration) *Step {
	if p == nil {
		return &Step{}
	}
	if estimate > 0 {
		p.printf("==> %s (about %s)\n", title, roughly(estimate))
	} else {
		p.printf("==> %s\n", title)
	}
	return &Step{printer: p, title: title, started: p.now()}
}

// Note prints one line beneath the running step.
func (p *Printer) Note(format string, args ...any) {
	if p == nil {
		return
	}
	p.printf("    %s\n", strings.TrimSpace(fmt.Sprintf(format, args...)))
}

// End prints how long the step took and how it ended, and returns err so that
// it can stand in a return statement.
func (s *Step) End(err error) error {
	if s.printer == nil {
		return err
	}
	took := roughly(s.printer.now().Sub(s.started))
	if err != nil {
		s.printer.printf("    failed after %s\n", took)
		return err
	}
	s.printer.printf("    done in %s\n", took)
	return nil
}

func (p *Printer) printf(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	fmt.Fprintf(p.out, format, args...)
}

// roughly rounds a duration to what a person wants to read: tenths below ten
// seconds, seconds below two minutes, minutes and seconds above.
func roughly(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < 2*time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d%time.Minute == 0:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	default:
		return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
	}
}
