package scene

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/onsi/ginkgo/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"rollcall.dev/rollcall/framework/history"
)

func TestWriteHistory(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "histories")
	spec := ginkgo.SpecReport{LeafNodeLabels: []string{"UPD-04", "UPD-03"}, StartTime: time.Date(2026, 1, 2, 3, 4, 5, 6e6, time.UTC)}
	h := history.New()
	h.Append(history.Pod, watch.Added, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "agent", UID: "uid"}})

	name, err := writeHistory(folder, spec, h)

	if want := filepath.Join(folder, "UPD-04-20260102T030405.006.jsonl"); err != nil || name != want {
		t.Fatalf("%s instead of %s: %v", name, want, err)
	}
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if again, err := history.Read(file); err != nil || again.Latest().Pod("agent") == nil {
		t.Errorf("it cannot be read again: %v", err)
	}
}
