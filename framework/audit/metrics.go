package audit

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/client-go/rest"
)

// metricsEvery is how often usage is asked for: a metrics server measures about
// as often.
const metricsEvery = 15 * time.Second

// metrics asks for the usage of a DaemonSet's Pods where that is served.
type metrics struct {
	client              rest.Interface
	namespace, selector string
	absent              bool
	last                time.Time
}

// podMetrics is what rollcall reads of metrics.k8s.io/v1beta1.
type podMetrics struct {
	Items []struct {
		Metadata   struct{ Name string }
		Containers []struct {
			Usage struct{ CPU, Memory resource.Quantity }
		}
	}
}

// tell writes the usage by version. Where none is served it says so once.
func (m *metrics) tell(ctx context.Context, f *follower) {
	if m.absent || ctx.Err() != nil || f.vigil.daemonSet == nil || time.Since(m.last) < metricsEvery {
		return
	}
	m.last = time.Now()
	data, err := m.client.Get().AbsPath("/apis/metrics.k8s.io/v1beta1/namespaces", m.namespace, "pods").
		Param("labelSelector", m.selector).SetHeader("Accept", "application/json").DoRaw(ctx)
	var usage podMetrics
	if err == nil {
		err = json.Unmarshal(data, &usage)
	}
	if err != nil {
		m.absent = true
		f.tell([]string{"          no CPU and memory to show: metrics.k8s.io is not served here"})
		return
	}
	versions := map[string]string{}
	for _, pod := range f.state().PodsOf(f.vigil.daemonSet.UID) {
		versions[pod.Name] = cmp.Or(revisionOf(reduce(pod)), "no version")
	}
	for _, line := range usageByVersion(usage, versions) {
		f.tell([]string{clock(m.last) + "  " + line})
	}
}

// usageByVersion gives the mean and the most of each version's Pods.
func usageByVersion(usage podMetrics, versions map[string]string) []string {
	type sum struct{ pods, cpu, memory, mostCPU, mostMemory int64 }
	sums := map[string]*sum{}
	for _, item := range usage.Items {
		version, known := versions[item.Metadata.Name]
		if !known {
			continue
		}
		cpu, memory := int64(0), int64(0)
		for _, container := range item.Containers {
			cpu += container.Usage.CPU.MilliValue()
			memory += container.Usage.Memory.Value()
		}
		if sums[version] == nil {
			sums[version] = &sum{}
		}
		s := sums[version]
		s.pods, s.cpu, s.memory = s.pods+1, s.cpu+cpu, s.memory+memory
		s.mostCPU, s.mostMemory = max(s.mostCPU, cpu), max(s.mostMemory, memory)
	}
	var lines []string
	for _, version := range sortedKeys(sums) {
		s := sums[version]
		lines = append(lines, fmt.Sprintf("%s uses %dm CPU and %dMi memory a Pod, at most %dm and %dMi (%s)",
			version, s.cpu/s.pods, s.memory/s.pods>>20, s.mostCPU, s.mostMemory>>20, plural(int(s.pods), "Pod", "Pods")))
	}
	return lines
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
