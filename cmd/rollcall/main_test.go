package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// kubeconfig writes one with a kind context and one of another cluster, both of
// which lead to a port on which nobody listens.
func kubeconfig(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config")
	text := `apiVersion: v1
kind: Config
clusters: [{name: nobody, cluster: {server: "https://127.0.0.1:1"}}]
users: [{name: nobody, user: {token: none}}]
contexts:
- {name: kind-nobody, context: {cluster: nobody, user: nobody}}
- {name: production, context: {cluster: nobody, user: nobody}}
current-context: production
`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestBadInputGetsOneClearLine(t *testing.T) {
	config := kubeconfig(t)
	for name, test := range map[string]struct {
		args string
		code int
		line string
	}{
		"unknown verb":                {"frobnicate", 64, `unknown command "frobnicate"`},
		"unknown flag":                {"run --colour", 64, "unknown flag: --colour"},
		"an argument too many":        {"run now", 64, `"now"`},
		"unknown level":               {"run --level=galaxy", 64, `unknown level "galaxy": choose one of api, namespace, simulated, node, outage`},
		"unknown ID in focus":         {"run --focus=COV-999", 64, `"COV-999"`},
		"unknown area to skip":        {"run --skip=weather", 64, `"weather"`},
		"no spec at a time":           {"run --parallel=0", 64, "--parallel"},
		"negative time limits":        {"run --timeout-scale=-1", 64, "--timeout-scale"},
		"no image":                    {"run --image=", 64, "--image"},
		"bad selector of lent nodes":  {"run --lent-nodes=a=b=c", 64, "lent nodes"},
		"missing kubeconfig":          {"run --kubeconfig=/nowhere/config", 64, "/nowhere/config"},
		"context that is not there":   {"run --context=gone --kubeconfig=" + config, 64, `no context "gone"; there is kind-nobody, production`},
		"context never guessed":       {"run --kubeconfig=" + config, 64, "--context"},
		"API server down":             {"run --context=kind-nobody --kubeconfig=" + config, 3, "does not answer"},
		"job: unknown level":          {"job --level=galaxy", 64, "galaxy"},
		"job: unknown ID in focus":    {"job -- --focus=COV-999", 64, `"COV-999"`},
		"job: unknown flag handed on": {"job -- --colour", 64, "--colour"},
		"job: API server down":        {"job --context=kind-nobody --kubeconfig=" + config, 3, "does not answer"},
		"manifests: unknown level":    {"manifests --level=galaxy", 64, "galaxy"},
		"cleanup: API server down":    {"cleanup --context=kind-nobody --kubeconfig=" + config, 3, ""},
		"audit: nothing asked":        {"audit", 64, "say which DaemonSet"},
		"audit: no namespace":         {"audit ds/agent", 64, "-n"},
		"audit: no roster":            {"audit ds/agent -n logging", 64, "--roster"},
		"audit: no such roster":       {"audit ds/agent -n logging --roster=/nowhere/roster.json", 64, "/nowhere/roster.json"},
		"audit: not a DaemonSet":      {"audit deploy/agent -n logging --roster=x", 64, `"deploy/agent" is no DaemonSet`},
		"audit: all and one":          {"audit ds/agent -A", 64, "-A"},
		"audit: pools of one":         {"audit ds/agent -n logging --roster=x --pool-label=pool", 64, "--pool-label"},
		"audit: unknown format":       {"audit -A -o xml", 64, `"xml"`},
		"audit: no such folder":       {"audit -A --from=/nowhere/saved", 64, "/nowhere/saved"},
		"audit: nothing saved":        {"audit -A --from=testdata/empty", 3, "no DaemonSet"},
		"audit: watch all":            {"audit -A --watch", 64, "--watch"},
		"audit: watch a folder":       {"audit ds/agent -n logging --watch --from=.", 64, "--from"},
		"audit: for how long":         {"audit -A --for=1m", 64, "--watch"},
		"roster: no source":           {"roster", 64, "one source"},
		"roster: two sources":         {"roster --label=a=b --names=a", 64, "one source"},
		"roster: bad selector":        {"roster --label=a=b=c --from=testdata/empty", 3, "holds no Node"},
		"roster: no such export":      {"roster --csv=/nowhere/export.csv", 64, "/nowhere/export.csv"},
		"roster: column of nothing":   {"roster --names=a --name-column=b", 64, "--csv"},
		"roster: API server down":     {"roster --names=a --context=kind-nobody --kubeconfig=" + config, 3, "cannot read the Nodes"},
		"manifests: roster for a run": {"manifests --roster=x", 64, "--audit"},
		"manifests: audit of nothing": {"manifests --audit -- -n logging", 64, "say which DaemonSet"},
		"manifests: audit, no roster": {"manifests --audit -- -n logging ds/agent", 64, "--roster"},
		"manifests: audit that stays": {"manifests --audit -- -n logging ds/agent --watch", 64, "--watch"},
		"audit: API server down":      {"audit -A --context=kind-nobody --kubeconfig=" + config, 3, "cannot read the DaemonSets"},
		"explain: unknown ID":         {"explain COV-999", 64, `"COV-999"`},
		"explain: no ID":              {"explain", 64, "1 arg"},
		"list: unknown area":          {"list weather", 64, `"weather"`},
		"list: unknown format":        {"list -o xml", 64, `"xml"`},
		"report: no such file":        {"report /nowhere/report.json", 64, "/nowhere/report.json"},
		"report: not a report":        {"report " + config, 64, config},
		"report: unknown format":      {"report -o xml " + config, 64, `"xml"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("HOME", t.TempDir())
			t.Setenv("KUBECONFIG", "")
			var out, messages bytes.Buffer
			code := execute(strings.Fields(test.args), &out, &messages)
			line := strings.TrimSpace(messages.String())
			if code != test.code {
				t.Errorf("exit code %d, want %d (%s)", code, test.code, line)
			}
			lines := strings.Split(line, "\n")
			if last := lines[len(lines)-1]; !strings.HasPrefix(last, "rollcall: ") || !strings.Contains(last, test.line) {
				t.Errorf("it said %q, want one line with %q", line, test.line)
			}
		})
	}
}

func TestReadingNeedsNoCluster(t *testing.T) {
	for _, args := range []string{"version", "list", "list qos -o json", "list -o yaml", "list -o name", "explain COV-01", "manifests", "manifests --level outage", "manifests --audit", "audit --help", "roster --help", "--help", "run --help"} {
		t.Run(args, func(t *testing.T) {
			t.Setenv("KUBECONFIG", "/nowhere")
			var out, messages bytes.Buffer
			if code := execute(strings.Fields(args), &out, &messages); code != 0 || out.Len() == 0 {
				t.Errorf("exit code %d, %d bytes, %s", code, out.Len(), messages.String())
			}
		})
	}
}
