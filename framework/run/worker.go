package run

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
	"k8s.io/apimachinery/pkg/util/version"

	"rollcall.dev/rollcall/framework/cluster"
	"rollcall.dev/rollcall/framework/scene"
)

// title is the name of the whole suite; Ginkgo matches texts against it too.
const title = "rollcall"

// gracePeriod is how long an interrupted spec may take to clean up.
const gracePeriod = 45 * time.Second

// Work is a worker's whole life: read the order, run its specs, tell what they
// found. Its error says why it could not begin; what a spec found is none.
func Work(suites []Suite, orders io.Reader, messages io.Writer) error {
	decoder := json.NewDecoder(orders)
	var order Order
	if err := decoder.Decode(&order); err != nil {
		return fmt.Errorf("a worker is started by 'rollcall run', not by hand: %w", err)
	}
	stopWhenOrphaned(io.MultiReader(decoder.Buffered(), orders))
	tell := &teller{encoder: json.NewEncoder(messages)}
	on, err := enter(order, tell)
	if err != nil {
		tell.say(Message{Trouble: err.Error()})
		return nil
	}
	perform(suites, on, order, tell)
	return nil
}

// stopWhenOrphaned interrupts this process once the parent's end of the pipe
// closes: a parent that was killed cannot ask its workers to clean up.
func stopWhenOrphaned(orders io.Reader) {
	go func() {
		_, _ = io.Copy(io.Discard, orders)
		_ = syscall.Kill(os.Getpid(), syscall.SIGTERM)
	}()
	// Until Ginkgo listens, a signal must not end the process without a word.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGTERM, syscall.SIGINT)
}

func enter(order Order, tell *teller) (*scene.Cluster, error) {
	connection, err := cluster.Connect(order.Target)
	if err != nil {
		return nil, err
	}
	parsed, err := version.ParseGeneric(order.Version)
	if err != nil {
		return nil, err
	}
	return &scene.Cluster{
		Client: connection.Client, RunID: order.RunID, Image: order.Image, PullSecret: order.PullSecret,
		Version: parsed, Roster: order.Roster, Scale: order.Scale,
		Ahead: connection.Ahead, Config: connection.Config, Home: order.Home, Lent: order.Lent, EvictOthers: order.EvictOthers, KubectlPath: order.Kubectl,
		Histories: order.Histories, AllHistories: order.AllHistories,
		Announce: func(what string) { tell.say(Message{Spec: ginkgo.CurrentSpecReport().FullText(), Waiting: what}) },
	}, nil
}

// perform runs the ordered specs under Ginkgo. Whether they passed is told by
// messages, so its result is of no interest.
func perform(suites []Suite, on *scene.Cluster, order Order, tell *teller) {
	gomega.RegisterFailHandler(ginkgo.Fail)
	ginkgo.ReportBeforeEach(func(spec ginkgo.SpecReport) {
		if isWanted(spec, order) {
			tell.say(Message{Spec: spec.FullText(), Started: true})
		}
	})
	ginkgo.ReportAfterEach(func(spec ginkgo.SpecReport) {
		if isWanted(spec, order) {
			tell.say(Message{Spec: spec.FullText(), Finding: finding(spec)})
		}
	})
	ginkgo.AfterSuite(func(ctx context.Context) { scene.Must(on.Close(ctx)) })
	describe(suites, on)

	suite, reporter := ginkgo.GinkgoConfiguration()
	suite.FocusStrings = []string{focus(order.Specs)}
	suite.Timeout, suite.GracePeriod = order.Timeout, gracePeriod
	reporter.Succinct, reporter.NoColor = true, true
	ginkgo.RunSpecs(indifferent{}, title, suite, reporter)
}

// focus is the expression that matches just these texts.
func focus(texts []string) string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = regexp.QuoteMeta(text)
	}
	return "^" + title + " (" + strings.Join(quoted, "|") + ")$"
}

// isWanted leaves out the specs that Ginkgo reports as skipped because they
// were not in focus.
func isWanted(spec ginkgo.SpecReport, order Order) bool {
	for _, text := range order.Specs {
		if text == spec.FullText() {
			return true
		}
	}
	return false
}

// indifferent takes Ginkgo's word that something failed and does nothing.
type indifferent struct{}

func (indifferent) Fail() {}

// teller writes messages, a line each; specs may speak from several
// goroutines.
type teller struct {
	mu      sync.Mutex
	encoder *json.Encoder
}

func (t *teller) say(message Message) {
	t.mu.Lock()
	defer t.mu.Unlock()
	// A parent that no longer listens is gone; stopWhenOrphaned sees to that.
	_ = t.encoder.Encode(message)
}
