package audit

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

// BenchmarkSurveyFromFiles surveys a large cluster from what kubectl get -o json
// saved of it: 100 DaemonSets on 5,000 nodes, half a million Pods as a real
// cluster shows them, of which one in a thousand is not Ready. It is to take less
// than 5 seconds and 500 MB; time is told and memory is asserted.
//
//	go test ./framework/audit -run '^$' -bench Survey -benchtime 3x
func BenchmarkSurveyFromFiles(b *testing.B) {
	nodes, daemonSets := 5000, 100
	if testing.Short() {
		nodes, daemonSets = 500, 20
	}
	folder := b.TempDir()
	size := generate(b, folder, nodes, daemonSets)
	runtime.GC()
	debug.FreeOSMemory()
	b.ReportAllocs()
	b.ResetTimer()
	used := uint64(0)
	SpareMemory() // as the command does
	for b.Loop() {
		snapshot, err := Load(folder, "")
		if err != nil {
			b.Fatal(err)
		}
		survey, err := All(snapshot, "kubernetes.io/arch", nil)
		if err != nil {
			b.Fatal(err)
		}
		if len(survey.DaemonSets) != daemonSets || survey.ExitCode() != 1 {
			b.Fatalf("%d DaemonSets, exit code %d", len(survey.DaemonSets), survey.ExitCode())
		}
		if used == 0 { // a command does it once; what comes on top is garbage
			used = fromSystem()
		}
	}
	b.SetBytes(size)
	b.ReportMetric(float64(used), "MB-from-OS")
	if used > 500 {
		b.Errorf("it took %d MB from the operating system", used)
	}
}

// fromSystem is how much memory the process has, in MB.
func fromSystem() uint64 {
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	return memory.Sys >> 20
}

// generate writes nodes.json, daemonsets.json and pods.json as kubectl does and
// returns how many bytes that are.
func generate(b *testing.B, folder string, nodes, daemonSets int) int64 {
	b.Helper()
	size := saveList(b, folder, "nodes.json", nodes, "node.json", func(i int) []string {
		return []string{"NODE_NAME", nodeName(i), "NODE_UID", fmt.Sprintf("00000000-0000-0000-0000-%012d", i)}
	})
	size += saveList(b, folder, "daemonsets.json", daemonSets, "daemonset.json", func(i int) []string {
		return []string{"DAEMONSET_NAME", fmt.Sprintf("agent-%d", i), "DAEMONSET_UID", daemonSetUID(i)}
	})
	return size + saveList(b, folder, "pods.json", nodes*daemonSets, "pod.json", func(i int) []string {
		of := i / nodes
		// Whatever differs from Pod to Pod in a real cluster differs here too.
		words := []string{
			"d9fwz", fmt.Sprintf("%05x", i), "T06:45:2", fmt.Sprintf("T%02d:%02d:%d", i/216000%24, i/3600%60, i/600%6),
			"0106561c678e", fmt.Sprintf("%012x", 1e9*i), "10.244.3.73", fmt.Sprintf("10.%d.%d.%d", of, i%nodes/250, i%250),
			"172.19.0.4", fmt.Sprintf("172.19.%d.%d", i%nodes/250, i%250), "21534", fmt.Sprint(1000000 + i),
			"POD_NAME", fmt.Sprintf("agent-%d-%d", of, i), "POD_UID", fmt.Sprintf("22222222-2222-2222-2222-%012d", i),
			"NODE_NAME", nodeName(i % nodes), "DAEMONSET_NAME", fmt.Sprintf("agent-%d", of), "DAEMONSET_UID", daemonSetUID(of),
		}
		if i%1000 == 0 {
			words = append(words, `"status": "True"`, `"status": "False"`)
		}
		return words
	})
}

func nodeName(i int) string     { return fmt.Sprintf("node-%05d.example.com", i) }
func daemonSetUID(i int) string { return fmt.Sprintf("11111111-1111-1111-1111-%012d", i) }

// saveList writes a list of n objects, each the template with words replaced.
func saveList(b *testing.B, folder, name string, n int, template string, words func(i int) []string) int64 {
	b.Helper()
	data, err := os.ReadFile(filepath.Join("testdata/bench", template))
	if err != nil {
		b.Fatal(err)
	}
	text := strings.ReplaceAll(strings.TrimSpace(string(data)), "\n", "\n        ")
	file, err := os.Create(filepath.Join(folder, name))
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	to := bufio.NewWriterSize(file, 1<<20)
	fmt.Fprint(to, "{\n    \"apiVersion\": \"v1\",\n    \"items\": [")
	for i := range n {
		if i > 0 {
			fmt.Fprint(to, ",")
		}
		fmt.Fprint(to, "\n        ")
		if _, err := strings.NewReplacer(words(i)...).WriteString(to, text); err != nil {
			b.Fatal(err)
		}
	}
	fmt.Fprint(to, "\n    ],\n    \"kind\": \"List\",\n    \"metadata\": {\n        \"resourceVersion\": \"\"\n    }\n}\n")
	if err := to.Flush(); err != nil {
		b.Fatal(err)
	}
	info, err := file.Stat()
	if err != nil {
		b.Fatal(err)
	}
	return info.Size()
}
