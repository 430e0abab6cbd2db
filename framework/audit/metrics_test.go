package audit

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestUsageByVersion(t *testing.T) {
	var usage podMetrics
	served := `{"kind": "PodMetricsList", "items": [
		{"metadata": {"name": "p"}, "containers": [{"name": "agent", "usage": {"cpu": "10m", "memory": "32Mi"}}, {"name": "other", "usage": {"cpu": "2m", "memory": "8Mi"}}]},
		{"metadata": {"name": "q"}, "containers": [{"name": "agent", "usage": {"cpu": "20m", "memory": "60Mi"}}]},
		{"metadata": {"name": "r"}, "containers": [{"name": "agent", "usage": {"cpu": "1", "memory": "1Gi"}}]},
		{"metadata": {"name": "gone"}, "containers": [{"name": "agent", "usage": {"cpu": "9", "memory": "9Gi"}}]}]}`
	if err := json.Unmarshal([]byte(served), &usage); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"v1 uses 16m CPU and 50Mi memory a Pod, at most 20m and 60Mi (2 Pods)",
		"v2 uses 1000m CPU and 1024Mi memory a Pod, at most 1000m and 1024Mi (1 Pod)",
	}
	if got := usageByVersion(usage, map[string]string{"p": "v1", "q": "v1", "r": "v2"}); !cmp.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := usageByVersion(podMetrics{}, nil); len(got) != 0 {
		t.Errorf("%q", got)
	}
}
