package report

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"
)

func TestConfigMapIsCreatedAndUpdated(t *testing.T) {
	client := fake.NewClientset().CoreV1().ConfigMaps("rollcall")
	sink := ConfigMap{Client: client, Name: "rollcall-r7k2m", Labels: map[string]string{"rollcall.dev/run": "r7k2m"}}
	if err := sink.Save(t.Context(), allGreen()); err != nil {
		t.Fatal(err)
	}
	if err := sink.Finish(t.Context(), everyVerdict()); err != nil {
		t.Fatal(err)
	}
	found, err := client.Get(t.Context(), sink.Name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{ConclusionKey: "not conformant", SummaryKey: everyVerdict().Line()}
	if diff := cmp.Diff(want, found.Data); diff != "" {
		t.Errorf("data (- want, + got):\n%s", diff)
	}
	if found.Labels["rollcall.dev/run"] != "r7k2m" {
		t.Errorf("labels are %v", found.Labels)
	}
	r, err := FromConfigMap(found)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(everyVerdict(), r); diff != "" {
		t.Errorf("the report that comes out (- want, + got):\n%s", diff)
	}
}

func TestWhatOthersPutIntoTheConfigMapStays(t *testing.T) {
	client := fake.NewClientset(&corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: "report", Namespace: "rollcall", Labels: map[string]string{"team": "a"}},
		Data:       map[string]string{"note": "ours", TrimmedKey: "timelines"},
	}).CoreV1().ConfigMaps("rollcall")
	if err := (ConfigMap{Client: client, Name: "report"}).Save(t.Context(), allGreen()); err != nil {
		t.Fatal(err)
	}
	found, err := client.Get(t.Context(), "report", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if found.Data["note"] != "ours" || found.Labels["team"] != "a" {
		t.Errorf("something of others is gone: %v, %v", found.Data, found.Labels)
	}
	if trimmed, ok := found.Data[TrimmedKey]; ok {
		t.Errorf("a whole report is marked as trimmed: %s", trimmed)
	}
}

func TestSqueezeLeavesOutTheLeastNeededFirst(t *testing.T) {
	r := everyVerdict()
	full, err := packJSON(r)
	if err != nil {
		t.Fatal(err)
	}
	packed, err := squeeze(r, len(full)-1)
	if err != nil || packed.trimmed != "timelines" {
		t.Fatalf("want the timelines left out, got %q, %v", packed.trimmed, err)
	}
	spec := unpacked(t, packed).Results[5].Specs[0]
	if spec.Timeline != nil || len(spec.Evidence) == 0 || spec.Message == "" {
		t.Errorf("more or less than the timeline is gone: %+v", spec)
	}
	if r.Results[5].Specs[0].Timeline == nil {
		t.Error("the run's own report lost its timeline")
	}
}

func TestSqueezeShortensMessagesLast(t *testing.T) {
	r := everyVerdict()
	r.Results[5].Specs[0].Message = noise(64 << 10)
	packed, err := squeeze(r, 16<<10)
	if err != nil || packed.trimmed != "timelines, evidence, long messages" {
		t.Fatalf("want the messages shortened, got %q, %v", packed.trimmed, err)
	}
	if got := unpacked(t, packed).Line(); got != r.Line() {
		t.Errorf("the verdict changed: %s", got)
	}
	if _, err := squeeze(r, 10); err == nil || !strings.Contains(err.Error(), "10 is the most") {
		t.Errorf("want an error about the limit, got %v", err)
	}
}

// noise is text that hardly packs, the same every time.
func noise(length int) string {
	random := rand.New(rand.NewPCG(1, 2))
	text := make([]byte, length)
	for i := range text {
		text[i] = byte('!' + random.IntN(90))
	}
	return string(text)
}

func unpacked(t *testing.T, packed squeezed) *ConformanceReport {
	t.Helper()
	r, err := unpack(packed.data)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestFromConfigMapRejects(t *testing.T) {
	for want, from := range map[string]*corev1.ConfigMap{
		"is missing": {},
		"damaged":    {BinaryData: map[string][]byte{ReportKey: []byte("{}")}},
	} {
		if _, err := FromConfigMap(from); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q, got %v", want, err)
		}
	}
}
