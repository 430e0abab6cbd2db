package nodeimage

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
	"sigs.k8s.io/kind/pkg/apis/config/defaults"
)

const committedGoMod = `module rollcall.dev/rollcall/kind/binaries

go 1.26.8

require (
	github.com/spf13/cobra v1.10.2
	k8s.io/component-base v0.37.2
	k8s.io/kubernetes v1.37.2
)

require (
	go.etcd.io/etcd/server/v3 v3.7.0 // indirect
	k8s.io/streaming v0.37.2 // indirect
)

tool go.etcd.io/etcd/server/v3

replace (
	k8s.io/component-base => k8s.io/component-base v0.37.2
	k8s.io/streaming => k8s.io/streaming v0.37.2
)
`

const upstreamGoModText = `module k8s.io/kubernetes

go 1.26.0

require k8s.io/api v0.0.0

replace (
	k8s.io/api => ./staging/src/k8s.io/api
	k8s.io/component-base => ./staging/src/k8s.io/component-base
)
`

func TestRewriteGoMod(t *testing.T) {
	rewritten, err := rewriteGoMod([]byte(committedGoMod), []byte(upstreamGoModText), "v1.36.3")
	if err != nil {
		t.Fatal(err)
	}
	file, err := modfile.Parse("go.mod", rewritten, nil)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"k8s.io/kubernetes":         "v1.36.3",
		"k8s.io/component-base":     "v0.36.3",
		"github.com/spf13/cobra":    "v1.10.2",
		"go.etcd.io/etcd/server/v3": "",
		"k8s.io/streaming":          "",
	} {
		if got := requiredVersion(file, path); got != want {
			t.Errorf("%s is required at %q, want %q", path, got, want)
		}
	}
	if len(file.Tool) != 0 {
		t.Errorf("tools are left: %v", file.Tool)
	}
	replaced := map[string]string{}
	for _, replace := range file.Replace {
		replaced[replace.Old.Path] = replace.New.Version
	}
	// The target's own staging modules, not the committed ones.
	if len(replaced) != 2 || replaced["k8s.io/api"] != "v0.36.3" || replaced["k8s.io/component-base"] != "v0.36.3" {
		t.Errorf("replaced are %v", replaced)
	}
}

func TestRewriteRefusesWhatIsNotKubernetes(t *testing.T) {
	if _, err := rewriteGoMod([]byte(committedGoMod), []byte("module x\n"), "v1.36.3"); err == nil {
		t.Error("a go.mod without staging modules must be an error")
	}
}

func TestCommittedModuleIsTheDefaultVersion(t *testing.T) {
	module, err := FindModule("")
	if err != nil {
		t.Fatal(err)
	}
	if module.KubernetesVersion != DefaultVersion {
		t.Errorf("kind/binaries builds %s and the default is %s", module.KubernetesVersion, DefaultVersion)
	}
	same, err := module.At(t.Context(), DefaultVersion)
	if err != nil || same != module {
		t.Errorf("the default version needs no copy: %v %v", same, err)
	}
}

func TestValidate(t *testing.T) {
	for _, good := range []Options{{}, {Version: "v1.36.3", Source: Build}, {Source: Auto}, {Source: Pull}} {
		if err := good.Validate(); err != nil {
			t.Errorf("%+v: %v", good, err)
		}
	}
	for _, bad := range []Options{{Version: "1.36.3"}, {Version: "v1.36"}, {Version: "latest"}, {Source: "elsewhere"}} {
		if bad.Validate() == nil {
			t.Errorf("%+v is wrong and was taken", bad)
		}
	}
}

func TestCandidates(t *testing.T) {
	if got := candidates("v1.30.0"); len(got) != 1 || got[0] != "kindest/node:v1.30.0" {
		t.Errorf("a version that was asked for allows no other: %v", got)
	}
	vouched, _, _ := strings.Cut(defaults.Image, "@")
	if got := candidates(strings.TrimPrefix(vouched, "kindest/node:")); len(got) != 1 || got[0] != defaults.Image {
		t.Errorf("kind's own version comes with its digest: %v", got)
	}
	if got := candidates(""); got[len(got)-1] != defaults.Image {
		t.Errorf("without a version kind's own image serves: %v", got)
	}
}

func TestIsNotThereTellsAnAnswerFromSilence(t *testing.T) {
	if !isNotThere("Error response from daemon: manifest for kindest/node:v1.99.0 not found: manifest unknown: manifest unknown") {
		t.Error("a registry that lacks the image has answered")
	}
	silent := errors.New("docker pull: exit status 1: Error response from daemon: Get: dial tcp: no such host")
	if isNotThere(silent.Error()) {
		t.Error("an unreachable registry has not answered")
	}
	if got := shorten(silent).Error(); got != "Get: dial tcp: no such host" {
		t.Errorf("got %q", got)
	}
}

func TestKeyOf(t *testing.T) {
	if keyOf("a", "b") == keyOf("ab") || keyOf("a", "b") == keyOf("b", "a") {
		t.Error("different inputs have one key")
	}
	if first, again := keyOf("a", "b"), keyOf("a", "b"); first != again {
		t.Error("the same inputs have two keys")
	}
}

func TestContentOfSeesChangesButNoTests(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) string {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		all, err := contentOf(dir)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	first := write("main.go", "one")
	if write("main_test.go", "a test") != first {
		t.Error("a test changed the content")
	}
	if write("main.go", "two") == first {
		t.Error("a change was not seen")
	}
}

func TestInterruptedStepIsNotCurrent(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "result")
	if err := makeCurrent(dir, "key", func() error { return nil }); err != nil {
		t.Fatal(err)
	}
	if !isCurrent(dir, "key") || isCurrent(dir, "other") {
		t.Error("the folder is current for its key and no other")
	}
	if makeCurrent(dir, "key", func() error { return errors.New("interrupted") }) == nil {
		t.Fatal("the error was lost")
	}
	if isCurrent(dir, "key") {
		t.Error("a step that failed looks finished")
	}
}

func TestSortImages(t *testing.T) {
	names := sortImages([]string{
		"registry.k8s.io/kube-apiserver:v1.37.2", "registry.k8s.io/kube-proxy:v1.37.2",
		"registry.k8s.io/coredns/coredns:v1.14.0", "registry.k8s.io/pause:3.10.2", "registry.k8s.io/etcd:3.7.0-0",
	})
	if len(names.kubernetes) != 2 || len(names.pause) != 1 || len(names.etcd) != 1 {
		t.Errorf("got %+v", names)
	}
}

func TestKeyChangesWithEachIngredient(t *testing.T) {
	base := ingredients{kubernetes: output{key: "k"}, tools: output{key: "t"}, version: "v1.37.2", kindFiles: "f"}
	seen := map[string]bool{}
	for _, change := range []func(*ingredients){
		func(*ingredients) {},
		func(i *ingredients) { i.kubernetes.key = "other" },
		func(i *ingredients) { i.tools.key = "other" },
		func(i *ingredients) { i.version = "v1.36.3" },
		func(i *ingredients) { i.kindFiles = "other" },
	} {
		changed := base
		change(&changed)
		key, err := changed.key()
		if err != nil {
			t.Fatal(err)
		}
		if seen[key] {
			t.Errorf("%+v has the key of another image", changed)
		}
		seen[key] = true
	}
}

func TestKindModes(t *testing.T) {
	for name, want := range map[string]int64{
		"usr/local/bin/entrypoint":           0o755,
		"kind/bin/undo-mount-hacks.sh":       0o755,
		"kind/README.txt":                    0o644,
		"etc/systemd/system/kubelet.service": 0o644,
	} {
		if got := kindMode(name); got != want {
			t.Errorf("%s has mode %o, want %o", name, got, want)
		}
	}
}
