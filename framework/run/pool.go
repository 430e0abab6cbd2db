package run

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/report"
)

// pool runs batches in worker processes, several at a time.
type pool struct {
	// program and args start a worker.
	program string
	args    []string
	order   Order
	hear    func(Message)
}

// lastWords is how much of a worker's output is kept to explain its death.
const lastWords = 2000

// run works through the batches, phase by phase and at most parallel at a time,
// and returns when every worker has ended. When the context ends, running
// workers are asked to clean up and no new one is started.
func (p *pool) run(ctx context.Context, batches []Batch, parallel int) {
	for _, phase := range []Phase{Beside, Adding, Alone, Last} {
		var group errgroup.Group
		group.SetLimit(parallel)
		if phase >= Alone {
			group.SetLimit(1)
		}
		for _, batch := range batches {
			if batch.Phase != phase {
				continue
			}
			group.Go(func() error {
				if ctx.Err() == nil {
					p.work(ctx, batch)
				}
				return nil
			})
		}
		_ = group.Wait()
	}
}

// work runs one batch in one worker. Every spec of the batch gets a finding:
// the worker's, or that it died before it could tell.
func (p *pool) work(ctx context.Context, batch Batch) {
	missing := map[string]bool{}
	for _, spec := range batch.Specs {
		missing[spec.Text] = true
	}
	err := p.employ(ctx, batch, func(message Message) {
		if message.Finding != nil {
			delete(missing, message.Spec)
		}
		p.hear(message)
	})
	for text := range missing {
		p.hear(Message{Spec: text, Finding: unheard(ctx, text, err)})
	}
}

func unheard(ctx context.Context, text string, err error) *report.Spec {
	message := "its worker ended without a word"
	if err != nil {
		message = "its worker " + err.Error()
	}
	if ctx.Err() != nil {
		message = "the run was interrupted before this was known"
	}
	return &report.Spec{Text: text, Verdict: report.Unknown, Started: metav1.Now(), Message: message}
}

// employ starts a worker, gives it its order and listens until it has ended.
func (p *pool) employ(ctx context.Context, batch Batch, hear func(Message)) error {
	heard, speaks, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("could not be started: %w", err)
	}
	defer heard.Close()
	output := &bytes.Buffer{}
	command := p.command(ctx, speaks, output)
	orders, err := command.StdinPipe()
	if err != nil {
		return fmt.Errorf("could not be started: %w", err)
	}
	err = command.Start()
	speaks.Close()
	if err != nil {
		return fmt.Errorf("could not be started: %w", err)
	}
	if err := json.NewEncoder(orders).Encode(p.orderFor(batch)); err != nil {
		hear(Message{Trouble: err.Error()})
	}
	trouble := listen(heard, hear)
	err = command.Wait()
	switch {
	case trouble != "":
		return fmt.Errorf("could not begin: %s", trouble)
	case err != nil:
		return fmt.Errorf("died: %w\n%s", err, tail(output.String()))
	default:
		return nil
	}
}

// command is a worker in a process group of its own: a Ctrl-C at the terminal
// reaches the parent alone, which asks each worker once.
func (p *pool) command(ctx context.Context, speaks *os.File, output io.Writer) *exec.Cmd {
	command := exec.CommandContext(ctx, p.program, p.args...)
	command.Cancel = func() error { return command.Process.Signal(syscall.SIGTERM) }
	command.WaitDelay = gracePeriod + 15*time.Second
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.ExtraFiles = []*os.File{speaks}
	command.Stdout, command.Stderr = output, output
	return command
}

func (p *pool) orderFor(batch Batch) Order {
	order := p.order
	for _, spec := range batch.Specs {
		order.Specs = append(order.Specs, spec.Text)
	}
	// The limits bound each wait on its own; this bounds what waits for nothing.
	longest := order.Scale * limit.Growth(len(order.Roster)) * float64(batch.Limit)
	order.Timeout = time.Duration(longest)*2 + time.Minute
	return order
}

// listen passes messages on until the worker closes its end, and returns why
// it could not begin, if it said so.
func listen(from io.Reader, hear func(Message)) (trouble string) {
	decoder := json.NewDecoder(from)
	for {
		var message Message
		if err := decoder.Decode(&message); err != nil {
			return trouble
		}
		if message.Trouble != "" {
			trouble = message.Trouble
			continue
		}
		hear(message)
	}
}

func tail(text string) string {
	text = strings.TrimSpace(text)
	return text[max(0, len(text)-lastWords):]
}
