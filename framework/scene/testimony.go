package scene

import (
	"context"
	"fmt"

	"github.com/onsi/ginkgo/v2"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	utilnet "k8s.io/apimachinery/pkg/util/net"

	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/requirement"
)

// The names of the report entries by which a spec tells the run more than
// passed or failed.
const (
	EvidenceEntry     = "evidence"
	InconclusiveEntry = "inconclusive"
	WaivedEntry       = "waived"
	TimelineEntry     = "timeline"
)

// Saw adds a line of evidence to the verdict.
func Saw(format string, args ...any) { enter(EvidenceEntry, fmt.Sprintf(format, args...)) }

// SawContainers adds what Pods last reported of their containers to the evidence.
func (s *Scene) SawContainers(pods ...*corev1.Pod) {
	for _, pod := range pods {
		for _, line := range judge.Chronicle(s.History.History, pod) {
			Saw("%s", line)
		}
	}
}

// Doubt makes the verdict inconclusive, whatever else the spec finds.
func Doubt(format string, args ...any) { enter(InconclusiveEntry, fmt.Sprintf(format, args...)) }

// Waive tells that the cluster departs from a requirement in a way that is known.
// If it is known of this release, the verdict is waived, should the rest of the
// spec pass; otherwise the spec fails.
func (c *Cluster) Waive(known requirement.Deviation, format string, args ...any) {
	ginkgo.GinkgoHelper()
	seen := fmt.Sprintf(format, args...)
	if !known.AppliesTo(c.Version) {
		ginkgo.Fail(fmt.Sprintf("%s\nThis is known of other releases only: %s", seen, known))
	}
	enter(WaivedEntry, fmt.Sprintf("%s\n%s", known, seen))
}

func enter(name, text string) {
	ginkgo.AddReportEntry(name, text, ginkgo.ReportEntryVisibilityNever)
}

// Must fails the spec on an error of an API call. An API server that cannot be
// reached says nothing about the requirement, so then the verdict is
// inconclusive.
func Must(err error) {
	ginkgo.GinkgoHelper()
	if err == nil {
		return
	}
	if unreachable(err) {
		Doubt("the API server could not be reached: %v", err)
	}
	ginkgo.Fail(err.Error())
}

func unreachable(err error) bool {
	return utilnet.IsConnectionRefused(err) || utilnet.IsConnectionReset(err) || utilnet.IsProbableEOF(err) ||
		utilnet.IsTimeout(err) || apierrors.IsServerTimeout(err) || apierrors.IsTimeout(err) ||
		apierrors.IsServiceUnavailable(err) || apierrors.IsInternalError(err) || apierrors.IsTooManyRequests(err)
}

// testify closes the evidence: it casts doubt where the history has a hole, where
// the nodes changed under the spec, where somebody's LimitRange got in its way or
// where admission made another Pod, and keeps the timeline and the history of a failure.
func (s *Scene) testify(ctx context.Context) {
	for _, gap := range s.History.Gaps() {
		Doubt("changes of %ss may be missing from %s to %s: %s", gap.Kind, gap.From.UTC().Format("15:04:05"), gap.To.UTC().Format("15:04:05"), gap.Cause)
	}
	for _, change := range s.rosterChanges() {
		Doubt("the nodes changed during the spec: %s", change)
	}
	failed := ginkgo.CurrentSpecReport().Failed()
	if failed && s.Namespace != "" {
		s.doubtLimits(ctx)
		s.doubtChanges()
	}
	if failed {
		ginkgo.AddReportEntry(TimelineEntry, NewTimeline(s.History.History), ginkgo.ReportEntryVisibilityNever)
	}
	if s.Histories != "" && (failed || s.AllHistories) {
		s.keepHistory()
	}
}
