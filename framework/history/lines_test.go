package history

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func second(n int) time.Time { return noon.Add(time.Duration(n) * time.Second) }

// told is a history with a bit of everything.
func told() *History {
	h := New()
	h.now = func() time.Time { return second(2) }
	h.AppendAt(second(1), Node, watch.Added, beatingNode(1))
	h.Mark("create Pod a")
	h.AppendAt(second(3), Pod, watch.Added, phased("a", corev1.PodPending))
	h.AppendAt(second(4), Node, watch.Modified, beatingNode(4))
	h.AppendAt(second(5), Pod, watch.Modified, phased("a", corev1.PodRunning))
	h.AddGap(Gap{Kind: Event, From: second(5), To: second(6), Cause: "too old"})
	h.AppendAt(second(7), Pod, watch.Deleted, phased("a", corev1.PodRunning))
	h.AppendAt(second(8), Event, watch.Added, &corev1.Event{ObjectMeta: metav1.ObjectMeta{Name: "e", UID: "uid-e"}, Reason: "Killing"})
	return h
}

func phased(name string, phase corev1.PodPhase) *corev1.Pod {
	p := pod(name, 0)
	p.ResourceVersion = ""
	p.Labels = map[string]string{"env": "prod"}
	p.Spec.Containers = []corev1.Container{{Name: "agent"}}
	p.Status.Phase = phase
	return p
}

func beatingNode(beat int) *corev1.Node {
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: "n", UID: "uid-n", ManagedFields: []metav1.ManagedFieldsEntry{{Manager: "somebody"}}},
		Status: corev1.NodeStatus{
			Images:     []corev1.ContainerImage{{Names: []string{"big"}}},
			Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, LastHeartbeatTime: metav1.NewTime(second(beat))}},
		},
	}
}

func written(t *testing.T, h *History) string {
	t.Helper()
	var text bytes.Buffer
	if err := h.Write(&text); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

func read(t *testing.T, text string) *History {
	t.Helper()
	h, err := Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestHistoryIsReadAsItWasWritten(t *testing.T) {
	before := told()
	after := read(t, written(t, before))

	var want []Change // the heartbeat is not written
	for _, change := range before.Changes() {
		if change.Kind != Node || change.Type == watch.Added {
			want = append(want, Change{change.At, change.Kind, change.Type, small(change.Object), change.Before})
		}
	}
	if diff := cmp.Diff(want, after.Changes()); diff != "" {
		t.Errorf("changes:\n%s", diff)
	}
	if diff := cmp.Diff(before.Marks(), after.Marks()); diff != "" {
		t.Errorf("marks:\n%s", diff)
	}
	if diff := cmp.Diff(before.Gaps(), after.Gaps()); diff != "" {
		t.Errorf("gaps:\n%s", diff)
	}
	if again := written(t, after); again != written(t, before) {
		t.Errorf("it is written differently the second time:\n%s", again)
	}
}

func TestHistoryIsWrittenSmall(t *testing.T) {
	text := written(t, told())
	for _, unread := range []string{"managedFields", "somebody", "images", second(4).Format(time.RFC3339)} {
		if strings.Contains(text, unread) {
			t.Errorf("it holds %s:\n%s", unread, text)
		}
	}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if len(lines) != 7 {
		t.Fatalf("%d lines:\n%s", len(lines), text)
	}
	if !strings.Contains(lines[1], "create Pod a") || !strings.Contains(lines[3], `"patch":{"status":{"phase":"Running"}}`) {
		t.Errorf("not the mark and the patch in their places:\n%s", text)
	}
}

func TestReadRefusesWhatIsNoHistory(t *testing.T) {
	for _, text := range []string{
		"not JSON",
		`{"kind":"Gnome","type":"ADDED","object":{}}`,
		`{"kind":"Pod","type":"MODIFIED","uid":"never-seen","patch":{"status":{}}}`,
		`{"kind":"Pod","type":"ADDED"}`,
	} {
		if _, err := Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), "line 1") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
