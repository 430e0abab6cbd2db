package audit

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// server serves the files of a folder as an API server does, and notes what it
// was asked.
type server struct {
	mutex sync.Mutex
	asked []string
	files map[string]string
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.asked = append(s.asked, r.Method+" "+r.URL.Path)
	w.Header().Set("Content-Type", "application/json")
	text, known := s.files[r.URL.Path]
	if !known {
		w.WriteHeader(http.StatusNotFound)
		text = `{"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "NotFound", "code": 404}`
	}
	_, _ = w.Write([]byte(text))
}

func serve(t *testing.T, s *server) kubernetes.Interface {
	t.Helper()
	listening := httptest.NewServer(s)
	t.Cleanup(listening.Close)
	client, err := kubernetes.NewForConfig(&rest.Config{Host: listening.URL})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// What is read from a server is what is read from files, with one call a kind.
func TestCollectAgreesWithLoad(t *testing.T) {
	files, _ := filepath.Glob("testdata/real/*.txtar")
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			want, archive := recorded(t, file)
			of := func(name, kind string) string {
				text := strings.Replace(string(content(t, archive, name)), `"kind": "List"`, `"kind": "`+kind+`"`, 1)
				if kind == "ControllerRevisionList" {
					text = strings.Replace(text, `"apiVersion": "v1"`, `"apiVersion": "apps/v1"`, 1)
				}
				return text
			}
			ns := "/api/v1/namespaces/" + want.Namespace
			apps := "/apis/apps/v1/namespaces/" + want.Namespace
			s := &server{files: map[string]string{
				"/api/v1/nodes": of("nodes.json", "NodeList"), ns + "/pods": of("pods.json", "PodList"), ns + "/events": of("events.json", "EventList"),
				apps + "/controllerrevisions": of("controllerrevisions.json", "ControllerRevisionList"), apps + "/daemonsets/" + want.DaemonSet: of("before.json", ""),
			}}
			snapshot, err := Collect(t.Context(), serve(t, s), want.Namespace, want.DaemonSet)
			if err != nil {
				t.Fatal(err)
			}
			if len(s.asked) != 6 || slices.ContainsFunc(s.asked, func(call string) bool { return !strings.HasPrefix(call, "GET ") }) {
				t.Errorf("asked %q", s.asked)
			}
			snapshot.At = want.At
			got, err := Of(snapshot, want.Namespace, want.DaemonSet, want.Intended)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(asJSON(t, want), asJSON(t, got)); diff != "" {
				t.Errorf("(- files, + server):\n%s", diff)
			}
		})
	}
}

func asJSON(t *testing.T, value any) string {
	t.Helper()
	text, err := json.MarshalIndent(value, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A DaemonSet that goes or changes while it is collected is not judged.
func TestCollectSeesChanges(t *testing.T) {
	const path = "/apis/apps/v1/namespaces/logging/daemonsets/agent"
	first := `{"apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": {"namespace": "logging", "name": "agent", "uid": "uid-agent", "generation": 1}}`
	lists := func() map[string]string {
		return map[string]string{
			path: first, "/api/v1/nodes": `{"kind": "NodeList", "apiVersion": "v1", "items": []}`,
			"/api/v1/namespaces/logging/pods":                      `{"kind": "PodList", "apiVersion": "v1", "items": []}`,
			"/api/v1/namespaces/logging/events":                    `{"kind": "EventList", "apiVersion": "v1", "items": []}`,
			"/apis/apps/v1/namespaces/logging/controllerrevisions": `{"kind": "ControllerRevisionList", "apiVersion": "apps/v1", "items": []}`,
		}
	}
	for want, second := range map[string]string{
		"deleted during collection": "",
		"changed during collection": strings.Replace(first, `"generation": 1`, `"generation": 2`, 1),
		"is being deleted":          strings.Replace(first, `"generation": 1`, `"generation": 1, "deletionTimestamp": "2026-01-01T00:00:00Z"`, 1),
	} {
		s := &server{files: lists()}
		turn := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "controllerrevisions") {
				s.mutex.Lock()
				if s.files[path] = second; second == "" {
					delete(s.files, path)
				}
				s.mutex.Unlock()
			}
			s.ServeHTTP(w, r)
		})
		listening := httptest.NewServer(turn)
		t.Cleanup(listening.Close)
		client, err := kubernetes.NewForConfig(&rest.Config{Host: listening.URL})
		if err != nil {
			t.Fatal(err)
		}
		snapshot, err := Collect(t.Context(), client, "logging", "agent")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Of(snapshot, "logging", "agent", rosterOf("a")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if snapshot, err := Collect(t.Context(), serve(t, &server{files: map[string]string{}}), "logging", "agent"); err == nil {
		t.Errorf("read %v from a server that has nothing", snapshot)
	}
}

// What is seen of a Pod at a glance is what is read of it in full.
func TestGlanceAgreesWithReduce(t *testing.T) {
	for i, pod := range []*corev1.Pod{
		aPod("p", "a"), aPod("p", "a", notReady(ended(1, 3))), aPod("p", "", aimed("a")), aPod("p", "a", leaving(0), withInit(ended(2, 4))),
	} {
		text := strings.Replace(asJSON(t, pod), "{", `{"kind": "Pod",`, 1)
		folder := t.TempDir()
		for name, data := range map[string]string{
			"pod.json": text, "ds.json": `{"kind":"DaemonSet","metadata":{"name":"agent"}}`, "node.json": `{"kind":"Node","metadata":{"name":"a"}}`,
		} {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(data), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		s, err := Load(folder, "")
		if err != nil {
			t.Fatal(err)
		}
		full := newSnapshot("")
		full.addPod(podOf(t, text))
		of := owner{"agent", "uid-agent"}
		if diff := cmp.Diff(full.pods[of], s.pods[of], cmp.AllowUnexported(Pod{}, sick{})); diff != "" || len(s.pods[of]) != 1 {
			t.Errorf("Pod %d (- in full, + at a glance):\n%s", i, diff)
		}
	}
}

// What is seen of a Pod by comparing it with the one before is what is read of it
// in full, whatever the difference is.
func TestComparingAgreesWithReduce(t *testing.T) {
	base, err := os.ReadFile("testdata/bench/pod.json")
	if err != nil {
		t.Fatal(err)
	}
	full := newSnapshot("")
	var items []string
	for _, words := range [][]string{
		{}, {"POD_NAME", "p2", "POD_UID", "u2"}, {"NODE_NAME", "n3"}, {"d9fwz", "zzzzz"}, {`"phase": "Running"`, `"phase": "Failed"`},
		{`"type": "Ready"`, `"type": "Unready"`}, {`"restartCount": 0`, `"restartCount": 5`}, {`"type": "Initialized"`, `"type": "Other"`},
		{"DAEMONSET_UID", "another"}, {"6b9cf8c4dd", "777"}, {`"kind": "DaemonSet"`, `"kind": "Job"`}, {`"logging"`, `"metrics"`},
		{`"status": "True"`, `"status": "False"`}, {`"generation": 1`, `"deletionTimestamp": "2026-11-30T06:45:25Z", "generation": 1`},
		{"POD_NAME", `p\u0031`}, {"POD_NAME", ""}, {},
	} {
		text := strings.NewReplacer(words...).Replace(string(base))
		full.addPod(podOf(t, text))
		items = append(items, text)
	}
	folder := t.TempDir()
	list := `{"kind": "List", "items": [` + strings.Join(items, ",") + "]}"
	if err := os.WriteFile(filepath.Join(folder, "pods.json"), []byte(list), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := load(folder, "")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(full.pods, s.pods, cmp.AllowUnexported(Pod{}, sick{})); diff != "" || len(full.pods) != 2 {
		t.Errorf("%d owners (- in full, + by comparing):\n%s", len(full.pods), diff)
	}
}
