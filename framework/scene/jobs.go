package scene

import (
	"context"
	"fmt"
	"time"

	"github.com/onsi/ginkgo/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"rollcall.dev/rollcall/framework/await"
	"rollcall.dev/rollcall/framework/judge"
	"rollcall.dev/rollcall/framework/limit"
)

// CreateJob creates a Job in the scene's namespace.
func (s *Scene) CreateJob(ctx context.Context, job *batchv1.Job) *batchv1.Job {
	ginkgo.GinkgoHelper()
	s.outfit(&job.Spec.Template.Spec)
	s.History.Mark("create Job " + job.Name)
	created, err := s.Client.BatchV1().Jobs(s.Namespace).Create(ctx, job, metav1.CreateOptions{})
	Must(err)
	return created
}

// AwaitJob waits until a Job satisfies holds, and fails the spec if it does not
// within the limit. The claim says what is waited for.
func (s *Scene) AwaitJob(ctx context.Context, within limit.Limit, job *batchv1.Job, claim string, holds func(*batchv1.Job) bool) *batchv1.Job {
	ginkgo.GinkgoHelper()
	s.announce(fmt.Sprintf("waiting for Job %s: %s", job.Name, claim))
	limited, cancel := context.WithTimeout(ctx, s.Longest(within))
	defer cancel()
	last := job
	err := await.Until(limited, s.Client, s.Client.BatchV1().Jobs(s.Namespace), await.Named(job.Name),
		func(_ watch.EventType, now *batchv1.Job) (bool, error) {
			last = now
			return now.UID == job.UID && holds(now), nil
		})
	s.mustHaveCome(err, within, fmt.Sprintf("Job %s %s", job.Name, claim), judge.DescribeJob(last))
	return last
}

// AwaitNoJob waits until a Job is gone.
func (s *Scene) AwaitNoJob(ctx context.Context, within limit.Limit, job *batchv1.Job) {
	ginkgo.GinkgoHelper()
	s.announce(fmt.Sprintf("waiting for Job %s to be gone", job.Name))
	limited, cancel := context.WithTimeout(ctx, s.Longest(within))
	defer cancel()
	err := await.Gone[batchv1.Job](limited, s.Client, s.Client.BatchV1().Jobs(s.Namespace), await.Named(job.Name))
	s.mustHaveCome(err, within, "Job "+job.Name+" is gone", "it is still there")
}

func (s *Scene) mustHaveCome(err error, within limit.Limit, claim, last string) {
	ginkgo.GinkgoHelper()
	if err != nil {
		ginkgo.Fail(fmt.Sprintf("expected: %s\nlast seen: %s\nlimit for %s: %s; %s (%v)\nwhat happened:\n%s",
			claim, last, within.Name, s.Longest(within), within.Source, err, judge.Excerpt(s.History.History, time.Now())))
	}
}

// EvictPod asks for the eviction of a Pod, as a drain does.
func (s *Scene) EvictPod(ctx context.Context, pod *corev1.Pod) {
	ginkgo.GinkgoHelper()
	Must(s.TryEvict(ctx, pod))
}
