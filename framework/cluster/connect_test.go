package cluster

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// kubeconfig writes one whose contexts are all called by the names.
func kubeconfig(t *testing.T, current string, names ...string) string {
	t.Helper()
	config := clientcmdapi.NewConfig()
	config.CurrentContext = current
	for _, name := range names {
		config.Clusters[name] = &clientcmdapi.Cluster{Server: "https://" + name + ".example:6443"}
		config.Contexts[name] = &clientcmdapi.Context{Cluster: name}
	}
	path := filepath.Join(t.TempDir(), "kubeconfig")
	if err := clientcmd.WriteToFile(*config, path); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestConnectChoosesTheContext(t *testing.T) {
	path := kubeconfig(t, "kind-dev", "kind-dev", "production")
	for asked, want := range map[string]string{"": "kind-dev", "production": "production"} {
		connection, err := Connect(Target{Kubeconfig: path, Context: asked})
		if err != nil {
			t.Fatal(err)
		}
		if connection.Context != want || connection.Server != "https://"+want+".example:6443" || connection.InCluster {
			t.Errorf("asked for %q, got %+v", asked, connection)
		}
		if !strings.HasPrefix(connection.Config.UserAgent, "rollcall/") || connection.Config.QPS != 50 {
			t.Errorf("client is called %s and may ask %v times a second", connection.Config.UserAgent, connection.Config.QPS)
		}
	}
}

func TestConnectStaysWhereItIs(t *testing.T) {
	path := kubeconfig(t, "kind-dev", "kind-dev", "kind-other")
	connection, err := Connect(Target{Kubeconfig: path})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("current-context: kind-other"), 0o600); err != nil {
		t.Fatal(err)
	}
	if connection.Server != "https://kind-dev.example:6443" || connection.Config.Host != connection.Server {
		t.Errorf("it moved to %s", connection.Config.Host)
	}
}

func TestConnectRefusesToGuess(t *testing.T) {
	path := kubeconfig(t, "production", "production", "kind-dev")
	_, err := Connect(Target{Kubeconfig: path})
	wantUsage(t, err, "--context", "kind-dev, production")
}

func TestConnectUsageErrors(t *testing.T) {
	good := kubeconfig(t, "kind-dev", "kind-dev")
	garbage := filepath.Join(t.TempDir(), "garbage")
	if err := os.WriteFile(garbage, []byte("\tnot: [yaml"), 0o600); err != nil {
		t.Fatal(err)
	}
	empty := kubeconfig(t, "")
	for name, test := range map[string]struct {
		target Target
		says   string
	}{
		"file that is not there":    {Target{Kubeconfig: "/does/not/exist"}, "/does/not/exist does not exist"},
		"file that is no YAML":      {Target{Kubeconfig: garbage}, "cannot be read"},
		"file without a context":    {Target{Kubeconfig: empty}, "holds no context"},
		"context that is not there": {Target{Kubeconfig: good, Context: "prod"}, `no context "prod"; there is kind-dev`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Connect(test.target)
			wantUsage(t, err, test.says)
		})
	}
}

func TestConnectWithoutAnyKubeconfig(t *testing.T) {
	t.Setenv("KUBERNETES_SERVICE_HOST", "")
	t.Setenv("KUBECONFIG", "/does/not/exist")
	_, err := Connect(Target{})
	wantUsage(t, err, "there is no kubeconfig", "/does/not/exist")
}

func TestDescribeWhereNobodyAnswers(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()

	config := clientcmdapi.NewConfig()
	config.Clusters["kind-down"] = &clientcmdapi.Cluster{Server: "https://" + address}
	config.Contexts["kind-down"] = &clientcmdapi.Context{Cluster: "kind-down"}
	config.CurrentContext = "kind-down"
	path := filepath.Join(t.TempDir(), "kubeconfig")
	if err := clientcmd.WriteToFile(*config, path); err != nil {
		t.Fatal(err)
	}
	connection, err := Connect(Target{Kubeconfig: path})
	if err != nil {
		t.Fatal(err)
	}
	_, err = connection.Describe(t.Context(), nil)
	wantEnvironment(t, err, "the API server https://"+address+" does not answer", "connection refused")
}
