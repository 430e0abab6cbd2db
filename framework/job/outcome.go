package job

import (
	"cmp"
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"rollcall.dev/rollcall/framework/exit"
	"rollcall.dev/rollcall/framework/limit"
	"rollcall.dev/rollcall/framework/report"
)

// Outcome is how a Job ended.
type Outcome struct {
	// Report is nil if the Job left none.
	Report *report.ConformanceReport
	// Line says in one line how it ended.
	Line string
	// Code is the exit code that this stands for.
	Code int
}

// Keep writes the report into a folder, in every form. An empty path, or no
// report, keeps nothing.
func (o *Outcome) Keep(ctx context.Context, folder string) error {
	if o.Report == nil || folder == "" {
		return nil
	}
	return report.Directory{Path: folder}.Finish(context.WithoutCancel(ctx), o.Report)
}

// outcome reads how the Job ended: from its report, or else from what its Pod
// left. Without a report nobody calls a cluster conformant.
func (j *job) outcome(ctx context.Context, pod *corev1.Pod) (*Outcome, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit.Call.For)
	defer cancel()
	found, err := j.fetch(ctx)
	if err == nil {
		return &Outcome{Report: found, Line: found.Line(), Code: found.Conclusion.ExitCode()}, nil
	}
	line, code := lastWords(pod)
	return &Outcome{
		Line: fmt.Sprintf("the Job left no report (%s): %s", err, line),
		Code: cmp.Or(code, exit.CouldNotRun),
	}, nil
}

func (j *job) fetch(ctx context.Context) (*report.ConformanceReport, error) {
	found, err := j.client.CoreV1().ConfigMaps(j.Namespace).Get(ctx, report.ConfigMapName, metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	return report.FromConfigMap(found)
}

// lastWords is what the Pod's own status says about its end, and rollcall's exit
// code where it got as far as choosing one.
func lastWords(pod *corev1.Pod) (line string, code int) {
	for _, status := range pod.Status.ContainerStatuses {
		end := status.State.Terminated
		if end == nil {
			continue
		}
		message := cmp.Or(end.Message, end.Reason)
		switch end.ExitCode {
		case 1, 2, exit.CouldNotRun, exit.Interrupted, exit.WrongUsage:
			return message, int(end.ExitCode)
		default:
			return fmt.Sprintf("%s, exit code %d", message, end.ExitCode), 0
		}
	}
	return cmp.Or(pod.Status.Message, pod.Status.Reason, "its Pod was removed while it ran"), 0
}
