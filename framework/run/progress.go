package run

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"rollcall.dev/rollcall/framework/report"
)

// progress tells a reader what goes on: a line a verdict, and now and then what
// is being waited for. On a terminal the last line is rewritten in place.
type progress struct {
	mu      sync.Mutex
	out     io.Writer
	live    bool // a terminal: rewrite the last line, and use colour
	total   int
	done    int
	running map[string]*activity // by spec
	status  bool                 // a status line stands on the terminal
}

type activity struct {
	since   time.Time
	waiting string
	retell  time.Time // when a log is told of it again
}

// A reader of a log wants to know of a wait once it is long, and not too often.
const (
	longWait    = 15 * time.Second
	retellAfter = 30 * time.Second
)

func newProgress(out io.Writer, total int) *progress {
	return &progress{out: out, live: report.Colourful(out), total: total, running: map[string]*activity{}}
}

// follow retells long waits until the channel closes.
func (p *progress) follow(stop <-chan struct{}) {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case now := <-ticker.C:
			p.tick(now)
		case <-stop:
			p.clear()
			return
		}
	}
}

func (p *progress) hear(message Message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	switch {
	case message.Started:
		p.running[message.Spec] = &activity{since: now, retell: now.Add(longWait)}
	case message.Waiting != "" && p.running[message.Spec] != nil:
		p.running[message.Spec].waiting = message.Waiting
	case message.Finding != nil:
		delete(p.running, message.Spec)
	}
}

// verdict prints a requirement's verdict.
func (p *progress) verdict(result report.Result) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
	p.done++
	width := len(fmt.Sprint(p.total))
	word := result.Verdict.Paint(fmt.Sprintf("%-12s", result.Verdict), p.live)
	fmt.Fprintf(p.out, "[%*d/%d] %s %s  %s (%.1fs)\n", width, p.done, p.total, word, result.ID, result.Statement, result.Seconds)
	if result.Verdict != report.Passed {
		fmt.Fprint(p.out, indented(result))
	}
}

// indented is what a reader of the log needs at once; the rest is in the
// report.
func indented(result report.Result) string {
	var text strings.Builder
	for _, spec := range result.Specs {
		for _, line := range strings.Split(spec.Message, "\n") {
			if spec.Verdict != report.Passed {
				fmt.Fprintf(&text, "        %s\n", line)
			}
		}
	}
	fmt.Fprintf(&text, "        documented: %s\n", result.Doc)
	return text.String()
}

func (p *progress) tick(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.live {
		p.redraw(now)
		return
	}
	for spec, a := range p.running {
		if now.After(a.retell) {
			a.retell = now.Add(retellAfter)
			fmt.Fprintf(p.out, "        %s: %s (for %s)\n", spec, cmp.Or(a.waiting, "running"), now.Sub(a.since).Round(time.Second))
		}
	}
}

// redraw shows the spec that has run longest.
func (p *progress) redraw(now time.Time) {
	p.erase()
	if len(p.running) == 0 {
		return
	}
	specs := make([]string, 0, len(p.running))
	for spec := range p.running {
		specs = append(specs, spec)
	}
	slices.SortFunc(specs, func(a, b string) int { return p.running[a].since.Compare(p.running[b].since) })
	oldest := p.running[specs[0]]
	text := fmt.Sprintf("%d running; %s: %s (%s)", len(specs), specs[0], cmp.Or(oldest.waiting, "running"), now.Sub(oldest.since).Round(time.Second))
	fmt.Fprint(p.out, text[:min(len(text), columns(p.out))])
	p.status = true
}

// columns is the width of the terminal, less one so that a full line does not
// wrap.
func columns(out io.Writer) int {
	if file, ok := out.(*os.File); ok {
		if width, _, err := term.GetSize(int(file.Fd())); err == nil && width > 1 {
			return width - 1
		}
	}
	return 79
}

func (p *progress) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
}

func (p *progress) erase() {
	if p.status {
		fmt.Fprint(p.out, "\r\x1b[K")
		p.status = false
	}
}
