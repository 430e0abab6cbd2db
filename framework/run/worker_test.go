package run

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/onsi/ginkgo/v2"
	"k8s.io/apimachinery/pkg/types"

	"rollcall.dev/rollcall/framework/cluster"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/report"
	"rollcall.dev/rollcall/framework/requirement"
	"rollcall.dev/rollcall/framework/scene"
)

// workerEnv makes this test binary a worker: the parent's side is tested with
// real processes, real pipes and real signals.
const workerEnv = "ROLLCALL_TEST_WORKER"

func TestMain(m *testing.M) {
	if os.Getenv(workerEnv) == "" {
		os.Exit(m.Run())
	}
	if err := Work(sampleSuites(), os.Stdin, os.NewFile(3, "messages")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// sampleSuites act out all ways in which a spec can end.
func sampleSuites() []Suite {
	r := func(id string, level requirement.Level) requirement.Requirement {
		return requirement.Requirement{ID: id, Statement: id + " holds.", Doc: "concepts/", Level: level, Limit: time.Second, Remedy: "none"}
	}
	area := requirement.Area{Name: "sample", Title: "Samples", Requirements: []requirement.Requirement{
		r("S-01", requirement.API), r("S-02", requirement.API), r("S-03", requirement.Namespace),
		r("S-04", requirement.Namespace), r("S-05", requirement.Node),
	}}
	return []Suite{{Area: area, Specs: func(on *scene.Cluster) {
		ginkgo.It("passes with evidence", requirement.Checks("S-01"), func(ginkgo.SpecContext) { scene.Saw("3 of 3 nodes") })
		ginkgo.It("fails", requirement.Checks("S-02", "S-01"), func(ginkgo.SpecContext) { ginkgo.Fail("expected: 1\nlast seen: 2") })
		ginkgo.It("doubts", requirement.Checks("S-03"), func(ginkgo.SpecContext) { scene.Doubt("the watch lost changes") })
		ginkgo.It("panics", requirement.Checks("S-03"), func(ginkgo.SpecContext) { panic("a fault of rollcall") })
		ginkgo.It("skips", requirement.Checks("S-03"), func(ginkgo.SpecContext) { ginkgo.Skip("no second node") })
		ginkgo.It("dies", requirement.Checks("S-04"), func(ginkgo.SpecContext) {
			fmt.Fprintln(os.Stderr, "last words")
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		})
		ginkgo.It("waits for ever", requirement.Checks("S-05"), func(ctx ginkgo.SpecContext) {
			ginkgo.DeferCleanup(func(context.Context) { on.Announce("cleaning up") })
			on.Announce("waiting")
			<-ctx.Done()
		})
	}}}
}

// listener collects what workers say.
type listener struct {
	mu       sync.Mutex
	messages []Message
	heard    chan string
}

func (l *listener) hear(message Message) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.messages = append(l.messages, message)
	if message.Waiting != "" && l.heard != nil {
		l.heard <- message.Waiting
	}
}

func (l *listener) finding(text string) *report.Spec {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, message := range l.messages {
		if message.Spec == "sample "+text && message.Finding != nil {
			return message.Finding
		}
	}
	return nil
}

func samplePool(t *testing.T, l *listener) *pool {
	t.Helper()
	t.Setenv(workerEnv, "1")
	kubeconfig := filepath.Join(t.TempDir(), "config")
	text := "apiVersion: v1\nkind: Config\nclusters: [{name: c, cluster: {server: 'http://127.0.0.1:1'}}]\ncontexts: [{name: kind-x, context: {cluster: c}}]\ncurrent-context: kind-x\n"
	if err := os.WriteFile(kubeconfig, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	order := Order{Target: cluster.Target{Kubeconfig: kubeconfig, Context: "kind-x"}, Version: "v1.37.2", Scale: 1}
	return &pool{program: os.Args[0], order: order, hear: l.hear}
}

func batch(texts ...string) Batch {
	b := Batch{Limit: time.Minute}
	for _, text := range texts {
		b.Specs = append(b.Specs, Spec{Text: "sample " + text})
	}
	return b
}

func TestTimeoutExceedsEveryWaitOnALargeCluster(t *testing.T) {
	p := &pool{order: Order{Scale: 3, Roster: map[string]types.UID{}}}
	for i := range 500 {
		p.order.Roster[strconv.Itoa(i)] = ""
	}
	on := scene.Cluster{Scale: p.order.Scale, Roster: p.order.Roster}
	for _, l := range limit.All {
		if longest, timeout := on.Longest(l), p.orderFor(Batch{Limit: l.For}).Timeout; timeout <= longest {
			t.Errorf("%s may take %s, its spec %s", l.Name, longest, timeout)
		}
	}
}

func TestFindingsOfEveryWayToEnd(t *testing.T) {
	l := &listener{}
	samplePool(t, l).run(t.Context(), []Batch{batch("passes with evidence", "fails"), batch("doubts", "panics", "skips"), batch("dies")}, 2)

	for text, want := range map[string]struct {
		verdict report.Verdict
		message string
	}{
		"passes with evidence": {report.Passed, ""},
		"fails":                {report.Failed, "expected: 1\nlast seen: 2"},
		"doubts":               {report.Unknown, "the watch lost changes"},
		"panics":               {report.Unknown, "rollcall itself failed: a fault of rollcall"},
		"skips":                {report.Skipped, "no second node"},
		"dies":                 {report.Unknown, "last words"},
	} {
		got := l.finding(text)
		switch {
		case got == nil:
			t.Errorf("%s: no finding", text)
		case got.Verdict != want.verdict || !strings.Contains(got.Message, want.message):
			t.Errorf("%s: %s (%s), want %s (%s)", text, got.Verdict, got.Message, want.verdict, want.message)
		}
	}
	if seen := l.finding("passes with evidence").Evidence; len(seen) != 1 || seen[0] != "3 of 3 nodes" {
		t.Errorf("evidence %q", seen)
	}
}

func TestInterruptedSpecCleansUpAndStaysOpen(t *testing.T) {
	l := &listener{heard: make(chan string, 10)}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		samplePool(t, l).run(ctx, []Batch{batch("waits for ever"), batch("fails")}, 1)
	}()
	<-l.heard
	cancel()
	<-done

	if got := l.finding("waits for ever"); got == nil || got.Verdict != report.Unknown {
		t.Errorf("an interrupted spec must be inconclusive, got %+v", got)
	}
	if said := <-l.heard; said != "cleaning up" {
		t.Errorf("the spec did not clean up, it said %q", said)
	}
	if got := l.finding("fails"); got != nil {
		t.Errorf("a spec was started after the interruption: %+v", got)
	}
}

func TestOrphanedWorkerCleansUp(t *testing.T) {
	l := &listener{heard: make(chan string, 10)}
	p := samplePool(t, l)
	heard, speaks, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	command := p.command(t.Context(), speaks, os.Stderr)
	orders, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	speaks.Close()
	if err := json.NewEncoder(orders).Encode(p.orderFor(batch("waits for ever"))); err != nil {
		t.Fatal(err)
	}
	go listen(heard, l.hear)
	<-l.heard
	orders.Close() // as the kernel does when the parent is killed
	if said := <-l.heard; said != "cleaning up" {
		t.Errorf("the orphan did not clean up, it said %q", said)
	}
	_ = command.Wait()
}

func TestWorkerThatCannotBeginSaysWhy(t *testing.T) {
	l := &listener{}
	p := samplePool(t, l)
	p.order.Target.Context = "gone"
	p.run(t.Context(), []Batch{batch("fails")}, 1)
	if got := l.finding("fails"); got == nil || got.Verdict != report.Unknown || !strings.Contains(got.Message, `no context "gone"`) {
		t.Errorf("got %+v", got)
	}
}

func TestWorkerRefusesToBeStartedByHand(t *testing.T) {
	if err := Work(sampleSuites(), strings.NewReader(""), os.Stderr); err == nil {
		t.Error("no error without an order")
	}
}
