package node

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

func TestADrainIsAlwaysBounded(t *testing.T) {
	for _, args := range [][]string{{"drain", "w1"}, {"drain", "w1", "--timeout=8s"}, {"drain", "w1", "--timeout", "8s"}, {"cordon", "w1"}} {
		got := bounded(args)
		own := slices.Contains(args, "--timeout") || slices.Contains(args, "--timeout=8s")
		if bound := strings.Contains(strings.Join(got, " "), "--timeout"); bound != (args[0] == "drain") || own && len(got) != len(args) {
			t.Errorf("%v became %v", args, got)
		}
	}
}

// noNodes is an API server that has no node.
func noNodes(t *testing.T) *rest.Config {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch r.URL.Path {
		case "/api":
			_, _ = w.Write([]byte(`{"kind":"APIVersions","versions":["v1"]}`))
		case "/apis":
			_, _ = w.Write([]byte(`{"kind":"APIGroupList","apiVersion":"v1","groups":[]}`))
		case "/api/v1":
			_, _ = w.Write([]byte(`{"kind":"APIResourceList","groupVersion":"v1","resources":[{"name":"nodes","singularName":"node","namespaced":false,"kind":"Node","verbs":["get","patch"]}]}`))
		default:
			w.WriteHeader(http.StatusNotFound)
			_, _ = w.Write([]byte(`{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","message":"nodes \"w9\" not found","code":404,"details":{"name":"w9","kind":"nodes"}}`))
		}
	}))
	t.Cleanup(server.Close)
	return &rest.Config{Host: server.URL}
}

func TestTheBuiltinAnswersAsTheProgramDoes(t *testing.T) {
	kubectl := Builtin{noNodes(t)}
	for want, args := range map[string][]string{
		`Error from server (NotFound): nodes "w9" not found`: {"drain", "w9"},
		"error: unknown flag: --no-such-flag":                {"drain", "w9", "--no-such-flag"},
		"USAGE: drain NODE":                                  {"drain"},
		`error: unknown command "delete"`:                    {"delete", "w9"},
	} {
		answer, err := kubectl.Run(t.Context(), args...)
		if err != nil || answer.Code != 1 || !strings.Contains(answer.Err, want) {
			t.Errorf("%v: %+v, error %v", args, answer, err)
		}
	}
}

func TestABinaryGetsOneClusterAndItsCodeIsKept(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "kubectl")
	script := "#!/bin/sh\ncp \"$KUBECONFIG\" " + dir + "/seen\necho \"$@\"\necho no >&2\nexit 3\n"
	if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	config := &rest.Config{Host: "https://example.test:6443", BearerToken: "t"}
	answer, err := Binary{path, config}.Run(t.Context(), "drain", "w1")
	if err != nil || answer.Code != 3 || answer.Out != "drain w1 --timeout=1m0s\n" || answer.Err != "no\n" {
		t.Errorf("%+v, error %v", answer, err)
	}
	seen, err := clientcmd.LoadFromFile(filepath.Join(dir, "seen"))
	if err != nil || len(seen.Contexts) != 1 || seen.Clusters["rollcall"].Server != config.Host || seen.AuthInfos["rollcall"].Token != "t" {
		t.Errorf("kubeconfig %+v, error %v", seen, err)
	}
	if _, err := (Binary{filepath.Join(dir, "missing"), config}).Run(t.Context(), "cordon"); err == nil {
		t.Error("a missing program is no error")
	}
}
