package audit

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite what the recorded cases expect")

// Each gap was made on a real cluster and recorded there. want.txt is what the
// audit says of it; the causes are named here once more, for they are the point.
func TestRecordedGaps(t *testing.T) {
	want := map[string]string{
		"untolerated-taint": "taint@edge-worker3",
		"selector-typo":     "selector@edge-worker selector@edge-worker2 selector@edge-worker3 taint@edge-worker3",
		"affinity":          "affinity@edge-worker affinity@edge-worker2 affinity@edge-worker3 taint@edge-worker3",
		"cordoned":          "",
		"full-node":         "unschedulable@edge-worker3",
		"bad-image":         "image-pull@edge-worker image-pull@edge-worker2 taint@edge-worker3",
		"failing-init":      "init-failing@edge-worker init-failing@edge-worker2 taint@edge-worker3",
		"crash-loop":        "crash-loop@edge-worker crash-loop@edge-worker2 taint@edge-worker3",
		"readiness-probe":   "not-ready@edge-worker (starting)@edge-worker2 not-ready@edge-worker3",
		"startup-probe":     "not-ready@edge-worker taint@edge-worker2 (terminating)@edge-worker2",
		"starting":          "(starting)@edge-worker (starting)@edge-worker2 taint@edge-worker3",
		"config-missing":    "not-started@edge-worker not-started@edge-worker2 taint@edge-worker3",
		"secret-missing":    "not-started@edge-worker not-started@edge-worker2 taint@edge-worker3",
		"pod-security":      "admission-rejected@edge-worker admission-rejected@edge-worker2 taint@edge-worker3",
		"quota":             "quota@edge-worker3",
		"kubelet-stopped":   "node-not-ready@edge-worker3",
		"node-gone":         "node-gone@edge-worker3",
		"node-created-anew": "node-replaced@edge-worker3",
		"surge":             "(surge)@edge-worker2",
		"terminating":       "(terminating)@edge-worker2",
	}
	files, _ := filepath.Glob("testdata/real/*.txtar")
	if len(files) != len(want) {
		t.Errorf("%d cases are recorded and %d are named", len(files), len(want))
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		t.Run(name, func(t *testing.T) {
			a, archive := recorded(t, file)
			var causes []string
			for _, cause := range a.Causes {
				kind := string(cause.Kind)
				if cause.Legal {
					kind = "(" + kind + ")"
				}
				causes = append(causes, kind+"@"+cause.Node)
			}
			if got := strings.Join(causes, " "); got != want[name] {
				t.Errorf("got  %s\nwant %s", got, want[name])
			}
			var text bytes.Buffer
			if err := Write(&text, a, "text"); err != nil {
				t.Fatal(err)
			}
			expect(t, file, archive, text.Bytes())
		})
	}
}

// recorded audits a case.
func recorded(t *testing.T, file string) (*Audit, *txtar.Archive) {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	asked := strings.Fields(string(content(t, archive, "request")))
	folder := unpack(t, archive)
	request := Request{Folder: folder, Namespace: asked[0], Name: asked[1], RosterFile: filepath.Join(folder, "roster.json")}
	found, err := request.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return found.(*Audit), archive
}

// expect compares a text with want.txt of a case, or rewrites it.
func expect(t *testing.T, file string, archive *txtar.Archive, got []byte) {
	t.Helper()
	if *update {
		archive.Files = append(archive.Files[:len(archive.Files):len(archive.Files)], txtar.File{Name: "want.txt", Data: got})
		for i, other := range archive.Files[:len(archive.Files)-1] {
			if other.Name == "want.txt" {
				archive.Files = append(archive.Files[:i], archive.Files[i+1:]...)
				break
			}
		}
		if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(content(t, archive, "want.txt")), string(got)); diff != "" {
		t.Errorf("%s says something else; if that is meant, run go test with -update (- want, + got):\n%s", file, diff)
	}
}

// Of every recorded case: no cause and no risk asks for a toleration of
// everything.
func TestNoBlanketToleration(t *testing.T) {
	files, _ := filepath.Glob("testdata/real/*.txtar")
	for _, file := range files {
		a, _ := recorded(t, file)
		for _, cause := range a.Causes {
			for _, toleration := range strings.Split(cause.Next, "{")[1:] {
				if !strings.HasPrefix(toleration, "key: ") || !strings.Contains(toleration, "effect: ") {
					t.Errorf("%s: %s", file, cause.Next)
				}
			}
		}
	}
}
