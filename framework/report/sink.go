package report

import (
	"context"
	"errors"
)

// Sink keeps a report where it outlives the run. A run calls Save after every
// verdict and Finish once, at its end or when it is told to stop; never two of
// them at a time.
type Sink interface {
	// Save keeps what is known so far.
	Save(ctx context.Context, r *ConformanceReport) error
	// Finish keeps the whole report, in every form that the sink offers.
	Finish(ctx context.Context, r *ConformanceReport) error
}

// Sinks is several sinks as one. A sink that fails keeps no other from its
// work; the error joins all that went wrong.
type Sinks []Sink

// Save saves to every sink.
func (s Sinks) Save(ctx context.Context, r *ConformanceReport) error {
	var faults []error
	for _, sink := range s {
		faults = append(faults, sink.Save(ctx, r))
	}
	return errors.Join(faults...)
}

// Finish finishes every sink.
func (s Sinks) Finish(ctx context.Context, r *ConformanceReport) error {
	var faults []error
	for _, sink := range s {
		faults = append(faults, sink.Finish(ctx, r))
	}
	return errors.Join(faults...)
}
