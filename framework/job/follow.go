package job

import (
	"bufio"
	"context"
	"io"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"rollcall.dev/rollcall/framework/await"
	"rollcall.dev/rollcall/framework/exit"
	"rollcall.dev/rollcall/framework/limit"
)

// again is the pause before a log that broke off is taken up again.
const again = time.Second

// parting bounds the wait for a Pod that was told to stop, by us or by the Job's own
// deadline: its grace period and a margin.
var parting = 300*time.Second + limit.PodGone.For

// follow copies the Pod's log until the Pod has ended, and returns the Pod as it
// was last seen. When ctx ends it tells the Pod to stop and goes on: the Pod
// needs its time to undo and to report, which it gets from a cluster that answers.
func (j *job) follow(ctx context.Context, pod *corev1.Pod) (*corev1.Pod, error) {
	working, giveUp := context.WithTimeout(context.WithoutCancel(ctx), j.Deadline+parting)
	defer giveUp()
	defer context.AfterFunc(ctx, func() {
		if !j.stop(ctx, pod) {
			giveUp()
			return
		}
		time.AfterFunc(parting, giveUp)
	})()

	following, stopFollowing := context.WithCancel(working)
	over, copied := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(copied)
		j.copyLog(following, pod.Name, over)
	}()
	last, err := j.awaitEnd(working, pod)
	close(over)
	// A log ends by itself soon after its Pod.
	select {
	case <-copied:
	case <-time.After(5 * again):
	}
	stopFollowing()
	<-copied
	if err != nil {
		return nil, exit.Environmentf("the Job's Pod %s was lost: %w", pod.Name, err)
	}
	return last, nil
}

// stop deletes the Pod, which gets its grace period, and reports whether it could.
func (j *job) stop(ctx context.Context, pod *corev1.Pod) bool {
	j.Progress("telling the Job to stop; waiting for its clean-up and its report")
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*again)
	defer cancel()
	err := j.client.CoreV1().Pods(j.Namespace).Delete(ctx, pod.Name, metav1.DeleteOptions{})
	if err != nil {
		j.Progress("it cannot be told: " + err.Error())
	}
	return err == nil || apierrors.IsNotFound(err)
}

// awaitEnd waits for the Pod to end or to vanish, and returns it as it was last
// seen.
func (j *job) awaitEnd(ctx context.Context, pod *corev1.Pod) (*corev1.Pod, error) {
	last := pod
	err := await.Ended(ctx, j.client, j.client.CoreV1().Pods(j.Namespace), pod.Name, func(now *corev1.Pod) bool {
		if now.UID == pod.UID {
			last = now
		}
		return now.UID != pod.UID || ended(now)
	})
	return last, err
}

// copyLog copies the log line by line until its Pod is over or ctx ends. A
// kubelet that restarts breaks a log off, even with what looks like its end;
// then it is taken up again.
func (j *job) copyLog(ctx context.Context, pod string, over <-chan struct{}) {
	var last time.Time
	for {
		_ = j.copyLogSince(ctx, pod, &last)
		select {
		case <-ctx.Done():
			return
		case <-over:
			return
		case <-time.After(again):
		}
	}
}

// copyLogSince copies what is newer than last, which it moves on.
func (j *job) copyLogSince(ctx context.Context, pod string, last *time.Time) error {
	options := &corev1.PodLogOptions{Follow: true, Timestamps: true}
	if !last.IsZero() {
		options.SinceTime = &metav1.Time{Time: *last}
	}
	log, err := j.client.CoreV1().Pods(j.Namespace).GetLogs(pod, options).Stream(ctx)
	if err != nil {
		return err
	}
	defer log.Close()
	lines := bufio.NewReader(log)
	for {
		line, err := lines.ReadString('\n')
		if text, at, ok := split(line); ok && at.After(*last) {
			*last = at
			_, _ = io.WriteString(j.Log, text)
		}
		if err != nil {
			return err
		}
	}
}

// split takes the time off a line of a log.
func split(line string) (text string, at time.Time, ok bool) {
	stamp, text, ok := strings.Cut(line, " ")
	if !ok {
		return "", time.Time{}, false
	}
	at, err := time.Parse(time.RFC3339Nano, stamp)
	return text, at, err == nil
}
