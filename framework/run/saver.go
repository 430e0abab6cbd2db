package run

import (
	"context"
	"slices"
	"time"

	"rollcall.dev/rollcall/framework/report"
)

// saver keeps the report safe while the run goes on. Saving may be slow, an API
// server may not answer, so it happens beside the run; verdicts that come in
// meanwhile share the next save.
type saver struct {
	ledger *ledger
	sink   report.Sink
	dirty  chan struct{}
	done   chan struct{}
}

// saveTimeout bounds one save while the run goes on.
const saveTimeout = 20 * time.Second

func startSaver(ctx context.Context, ledger *ledger, sink report.Sink) *saver {
	s := &saver{ledger: ledger, sink: sink, dirty: make(chan struct{}, 1), done: make(chan struct{})}
	go func() {
		defer close(s.done)
		for range s.dirty {
			limited, cancel := context.WithTimeout(ctx, saveTimeout)
			// Finish tells of a sink that does not work; a single save that
			// fails is made good by the next.
			_ = s.sink.Save(limited, s.snapshot())
			cancel()
		}
	}()
	s.save()
	return s
}

// save asks for a save soon.
func (s *saver) save() {
	select {
	case s.dirty <- struct{}{}:
	default:
	}
}

// stop returns once no save is under way.
func (s *saver) stop() {
	close(s.dirty)
	<-s.done
}

// snapshot copies what the run still changes: it appends to Specs and replaces
// the other fields, so the results' own copies suffice. What has not ended is
// told as if the run ended here.
func (s *saver) snapshot() (copied *report.ConformanceReport) {
	s.ledger.with(func(r *report.ConformanceReport) {
		value := *r
		value.Results = slices.Clone(r.Results)
		copied = &value
	})
	copied.Conclusion, copied.Reason = report.Interrupted, "the run has not ended"
	copied.Conclude()
	return copied
}
