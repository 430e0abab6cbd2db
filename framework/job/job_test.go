package job

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"sigs.k8s.io/e2e-framework/klient/k8s"
	"sigs.k8s.io/e2e-framework/klient/k8s/resources"

	"rollcall.dev/rollcall/fixtures/manifests"
	"rollcall.dev/rollcall/framework/cluster"
	"rollcall.dev/rollcall/framework/exit"
	"rollcall.dev/rollcall/framework/report"
	"rollcall.dev/rollcall/framework/requirement"
)

// stage is a cluster in which a Job's Pod meets a fate of the test's choice.
type stage struct {
	client *fake.Clientset
	there  map[string]k8s.Object
	// fate is what happens once the Job is there.
	fate func(*stage)
	// log holds what was created and deleted, in order.
	log []string
}

func key(object k8s.Object, namespace, name string) string {
	return strings.TrimPrefix(fmt.Sprintf("%T %s/%s", object, namespace, name), "*v1.")
}

func (s *stage) Get(_ context.Context, name, namespace string, object k8s.Object) error {
	if _, ok := s.there[key(object, namespace, name)]; !ok {
		return apierrors.NewNotFound(schema.GroupResource{}, name)
	}
	return nil
}

func (s *stage) Create(_ context.Context, object k8s.Object, _ ...resources.CreateOption) error {
	name := key(object, object.GetNamespace(), object.GetName())
	if _, ok := s.there[name]; ok {
		return apierrors.NewAlreadyExists(schema.GroupResource{}, object.GetName())
	}
	s.there[name] = object
	s.log = append(s.log, "create "+name)
	if _, ok := object.(*batchv1.Job); ok {
		object.SetUID("job-uid")
		s.fate(s)
	}
	return nil
}

func (s *stage) Delete(_ context.Context, object k8s.Object, _ ...resources.DeleteOption) error {
	name := key(object, object.GetNamespace(), object.GetName())
	delete(s.there, name)
	s.log = append(s.log, "delete "+name)
	if _, ok := object.(*batchv1.Job); ok { // its Pod goes with it
		_ = s.client.CoreV1().Pods("rollcall").Delete(context.Background(), "rollcall-x", metav1.DeleteOptions{})
	}
	return nil
}

// pod puts the Job's Pod into the cluster, or changes it.
func (s *stage) pod(status corev1.PodStatus) {
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "rollcall", Name: "rollcall-x", UID: "pod-uid",
			Labels: map[string]string{batchv1.JobNameLabel: manifests.Name},
		},
		Spec: corev1.PodSpec{NodeName: "worker"}, Status: status,
	}
	s.put(pod)
}

func (s *stage) put(object runtime.Object) {
	if err := s.client.Tracker().Add(object); err != nil {
		panic(err)
	}
}

func terminated(code int32, message string) corev1.PodStatus {
	phase := corev1.PodSucceeded
	if code != 0 {
		phase = corev1.PodFailed
	}
	return corev1.PodStatus{Phase: phase, ContainerStatuses: []corev1.ContainerStatus{{State: corev1.ContainerState{
		Terminated: &corev1.ContainerStateTerminated{ExitCode: code, Message: message, Reason: "Error"},
	}}}}
}

// jobOn prepares a Job for a stage and returns where its steps are told.
func jobOn(t *testing.T, fate func(*stage)) (*job, *stage) {
	t.Helper()
	s := &stage{client: fake.NewClientset(), there: map[string]k8s.Object{}, fate: fate}
	var printed strings.Builder
	return &job{
		Options: Options{
			Options: manifests.Options{
				Level: requirement.API, Namespace: "rollcall", Image: "image", RunID: "job-1", Deadline: time.Hour,
			},
			Log: &printed, Progress: func(string) {},
		},
		client: s.client, objects: s,
	}, s
}

// withReport leaves a report of a conclusion, as the run in the Pod does.
func withReport(t *testing.T, s *stage, conclusion report.Conclusion) {
	t.Helper()
	sink := report.ConfigMap{Client: s.client.CoreV1().ConfigMaps("rollcall"), Name: report.ConfigMapName}
	if err := sink.Save(t.Context(), &report.ConformanceReport{
		APIVersion: report.APIVersion, Kind: report.Kind, Conclusion: conclusion,
	}); err != nil {
		t.Fatal(err)
	}
}

func wantLine(t *testing.T, err error, parts ...string) {
	t.Helper()
	var environment *exit.EnvironmentError
	if !errors.As(err, &environment) || strings.Contains(err.Error(), "\n") {
		t.Fatalf("got %v, want an environment error of one line", err)
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not say %q", err, part)
		}
	}
}

func TestJobEndsWithTheVerdictOfItsReport(t *testing.T) {
	for conclusion, code := range map[report.Conclusion]int{report.Conformant: 0, report.NotConformant: 1, report.Interrupted: 4} {
		j, s := jobOn(t, func(s *stage) {
			withReport(t, s, conclusion)
			s.pod(terminated(int32(code), "a line"))
		})
		outcome, err := j.run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if outcome.Code != code || outcome.Report == nil {
			t.Errorf("%s: got %+v", conclusion, outcome)
		}
		if len(s.there) > 0 {
			t.Errorf("left behind: %v", s.there)
		}
	}
}

func TestJobWithoutAReport(t *testing.T) {
	for name, test := range map[string]struct {
		status corev1.PodStatus
		code   int
		says   string
	}{
		"that said why":        {terminated(3, "no rights"), 3, "no rights"},
		"that claims all well": {terminated(0, "conformant"), 3, "conformant"},
		"that was killed":      {terminated(137, ""), 3, "Error, exit code 137"},
		"that was evicted":     {corev1.PodStatus{Phase: corev1.PodFailed, Message: "the node ran out of memory"}, 3, "ran out of memory"},
	} {
		t.Run(name, func(t *testing.T) {
			j, _ := jobOn(t, func(s *stage) { s.pod(test.status) })
			outcome, err := j.run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if outcome.Code != test.code || !strings.Contains(outcome.Line, test.says) {
				t.Errorf("got %+v", outcome)
			}
		})
	}
}

func TestJobFailsFast(t *testing.T) {
	for name, test := range map[string]struct {
		fate func(*stage)
		says []string
	}{
		"on an image that is not there": {func(s *stage) {
			s.pod(corev1.PodStatus{ContainerStatuses: []corev1.ContainerStatus{{State: corev1.ContainerState{
				Waiting: &corev1.ContainerStateWaiting{Reason: "ErrImagePull", Message: "not found"},
			}}}})
		}, []string{"node worker cannot run the image image", "ErrImagePull: not found"}},
		"on a Pod that is refused": {func(s *stage) {
			s.put(&corev1.Event{
				ObjectMeta:     metav1.ObjectMeta{Namespace: "rollcall", Name: "e"},
				InvolvedObject: corev1.ObjectReference{Kind: "Job", Name: manifests.Name, UID: "job-uid"},
				Reason:         "FailedCreate", Message: `violates PodSecurity "restricted:latest"`,
			})
		}, []string{"the cluster refuses the Job's Pod", "violates PodSecurity"}},
	} {
		t.Run(name, func(t *testing.T) {
			j, s := jobOn(t, test.fate)
			_, err := j.run(t.Context())
			wantLine(t, err, test.says...)
			if len(s.there) > 0 {
				t.Errorf("left behind: %v", s.there)
			}
		})
	}
}

func TestJobIsRemovedBeforeItsRights(t *testing.T) {
	j, s := jobOn(t, func(s *stage) { s.pod(terminated(3, "")) })
	if _, err := j.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	half := len(s.log) / 2
	for i, created := range s.log[:half] {
		deleted := s.log[len(s.log)-1-i]
		if strings.TrimPrefix(created, "create ") != strings.TrimPrefix(deleted, "delete ") {
			t.Fatalf("not in reverse order:\n%s", strings.Join(s.log, "\n"))
		}
	}
}

func TestJobKeepsWhatItIsTold(t *testing.T) {
	j, s := jobOn(t, func(s *stage) { s.pod(terminated(3, "")) })
	j.Keep = true
	if _, err := j.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(s.there) != 9 {
		t.Errorf("there are %d objects", len(s.there))
	}
}

func TestJobInTheWay(t *testing.T) {
	j, s := jobOn(t, func(*stage) { t.Error("a second Job was created") })
	j.created = nil
	objects, err := manifests.Objects(t.Context(), j.Options.Options)
	if err != nil {
		t.Fatal(err)
	}
	last := objects[len(objects)-1]
	s.there[key(last, "rollcall", manifests.Name)] = last
	_, err = j.run(t.Context())
	wantLine(t, err, "the Job rollcall/rollcall is in the way", "rollcall cleanup -n rollcall")
	if len(s.log) > 0 {
		t.Errorf("it did %v", s.log)
	}
}

func TestJobLeavesANamespaceThatWasThere(t *testing.T) {
	j, s := jobOn(t, func(s *stage) { withReport(t, s, report.Conformant); s.pod(terminated(0, "")) })
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "rollcall"}}
	s.put(namespace)
	s.there[key(namespace, "", "rollcall")] = namespace
	if _, err := j.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(s.there) != 1 {
		t.Errorf("there is %v", s.there)
	}
	if _, err := s.client.CoreV1().ConfigMaps("rollcall").Get(t.Context(), report.ConfigMapName, metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("the report is still there: %v", err)
	}
}

func TestJobThatIsToldToStopStillReports(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	j, s := jobOn(t, func(s *stage) {
		s.pod(corev1.PodStatus{Phase: corev1.PodRunning, ContainerStatuses: []corev1.ContainerStatus{{
			State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}},
		}}})
	})
	j.Progress = func(line string) {
		if strings.HasPrefix(line, "Pod rollcall-x runs") {
			withReport(t, s, report.Interrupted)
			interrupt()
		}
	}
	outcome, err := j.run(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if outcome.Code != exit.Interrupted || len(s.there) > 0 {
		t.Errorf("got %+v, left %v", outcome, s.there)
	}
}

// A cluster that has gone takes the Job with it: nobody waits for its end.
func TestJobThatCannotBeToldToStopIsGivenUp(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	j, s := jobOn(t, func(s *stage) {
		s.pod(corev1.PodStatus{Phase: corev1.PodRunning, ContainerStatuses: []corev1.ContainerStatus{{
			State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}},
		}}})
	})
	s.client.PrependReactor("delete", "pods", func(action clienttesting.Action) (bool, runtime.Object, error) {
		gone := ctx.Err() != nil && action.GetNamespace() == "rollcall"
		return gone, nil, errors.New("connection refused")
	})
	j.Keep = true
	j.Progress = func(line string) {
		if strings.HasPrefix(line, "Pod rollcall-x runs") {
			interrupt()
		}
	}
	_, err := j.run(ctx)
	wantLine(t, err, "the Job's Pod rollcall-x was lost")
}

func TestRightsAreEachAskedOnce(t *testing.T) {
	seen := map[cluster.Denied]bool{}
	for _, right := range rights("rollcall") {
		if seen[right] || right.Verb == "*" {
			t.Errorf("%s", right)
		}
		seen[right] = true
	}
}

func TestSplit(t *testing.T) {
	text, at, ok := split("2026-01-02T03:04:05.678901234Z a line with spaces\n")
	if diff := cmp.Diff("a line with spaces\n", text); diff != "" || !ok || at.Nanosecond() != 678901234 {
		t.Errorf("got %q %v %v", text, at, ok)
	}
	if _, _, ok := split("unable to retrieve container logs"); ok {
		t.Error("a line without a time passes")
	}
}
