package run

import (
	"fmt"
	"strings"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"rollcall.dev/rollcall/framework/report"
	"rollcall.dev/rollcall/framework/scene"
)

// finding turns what Ginkgo says of a spec into what the report holds.
func finding(spec ginkgo.SpecReport) *report.Spec {
	found := &report.Spec{
		Text: spec.FullText(), Verdict: verdict(spec.State), Started: metav1.NewTime(spec.StartTime),
		Seconds: spec.RunTime.Seconds(), Message: failures(spec),
	}
	for _, entry := range spec.ReportEntries {
		switch entry.Name {
		case scene.EvidenceEntry:
			found.Evidence = append(found.Evidence, entry.Value.String())
		case scene.InconclusiveEntry:
			found.Verdict = report.Unknown
			found.Message = join(entry.Value.String(), found.Message)
		case scene.WaivedEntry:
			if found.Verdict == report.Passed {
				found.Verdict = report.Waived
			}
			found.Message = join(entry.Value.String(), found.Message)
		case scene.TimelineEntry:
			found.Timeline, _ = entry.GetRawValue().(*report.Timeline)
		}
	}
	return found
}

// verdict reads Ginkgo's states. A spec that was stopped or that panicked says
// nothing about the cluster.
func verdict(state types.SpecState) report.Verdict {
	switch state {
	case types.SpecStatePassed:
		return report.Passed
	case types.SpecStateFailed, types.SpecStateTimedout:
		return report.Failed
	case types.SpecStateSkipped, types.SpecStatePending:
		return report.Skipped
	default:
		return report.Unknown
	}
}

func failures(spec ginkgo.SpecReport) string {
	message := describeFailure(spec.Failure)
	for _, more := range spec.AdditionalFailures {
		message = join(message, describeFailure(more.Failure))
	}
	return message
}

func describeFailure(failure types.Failure) string {
	if failure.ForwardedPanic == "" {
		return strings.TrimSpace(failure.Message)
	}
	return fmt.Sprintf("rollcall itself failed: %s at %s", failure.ForwardedPanic, failure.Location)
}

func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n\n" + b
}
