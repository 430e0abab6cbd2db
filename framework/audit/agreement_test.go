package audit

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// The cases were put to another program than this one, the script that the
// findings come from, and want.json is what it said: its output, or its refusal.
func TestAgreement(t *testing.T) {
	files, err := filepath.Glob("testdata/agreement/*.txtar")
	if err != nil || len(files) < 40 {
		t.Fatalf("%d cases, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			folder := unpack(t, archive)
			var want map[string]any
			if err := json.Unmarshal(content(t, archive, "want.json"), &want); err != nil {
				t.Fatal(err)
			}
			request := Request{Folder: folder, Namespace: "logging", Name: "agent", RosterFile: filepath.Join(folder, "roster.json")}
			found, err := request.Run(t.Context())
			if refusal, refused := want["refused"]; refused {
				if err == nil {
					t.Errorf("should be refused: %s", refusal)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			compare(t, want, found.(*Audit))
		})
	}
}

// compare expects every field that the script prints, with its value.
func compare(t *testing.T, want map[string]any, found *Audit) {
	t.Helper()
	text, err := json.Marshal(found)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	for _, pod := range got["pods"].([]any) {
		delete(pod.(map[string]any), "restarts")
	}
	for field, value := range want {
		if diff := cmp.Diff(value, got[field]); diff != "" {
			t.Errorf("%s (- script, + audit):\n%s", field, diff)
		}
	}
	if clean := found.ExitCode() == 0; clean != (issues(want) == 0) {
		t.Errorf("exit code %d, and the script finds %d issues", found.ExitCode(), issues(want))
	}
}

func issues(want map[string]any) int {
	n := 0
	for _, list := range want["issues"].(map[string]any) {
		n += len(list.([]any))
	}
	return n
}

func unpack(t *testing.T, archive *txtar.Archive) string {
	t.Helper()
	folder := t.TempDir()
	for _, file := range archive.Files {
		if file.Name == "want.json" {
			continue
		}
		if err := os.WriteFile(filepath.Join(folder, file.Name), file.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func content(t *testing.T, archive *txtar.Archive, name string) []byte {
	t.Helper()
	for _, file := range archive.Files {
		if file.Name == name {
			return file.Data
		}
	}
	t.Fatalf("the case has no %s", name)
	return nil
}

// Every node and Pod that is among the findings gets a cause, in every case.
func TestEveryFindingHasACause(t *testing.T) {
	files, _ := filepath.Glob("testdata/agreement/*.txtar")
	for _, file := range files {
		if strings.Contains(file, "refused") {
			continue
		}
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		folder := unpack(t, archive)
		request := Request{Folder: folder, Namespace: "logging", Name: "agent", RosterFile: filepath.Join(folder, "roster.json")}
		found, err := request.Run(t.Context())
		if err != nil {
			t.Fatal(file, err)
		}
		a := found.(*Audit)
		told := map[string]bool{}
		for _, cause := range a.Causes {
			told[cause.Node], told[cause.Pod] = true, true
		}
		uids := map[string]string{}
		for _, pod := range a.Pods {
			uids[string(pod.UID)] = pod.Name
		}
		for _, list := range a.Issues.Lists() {
			for _, item := range list.Items {
				if !told[item] && !told[uids[item]] {
					t.Errorf("%s: %s has %s, and no cause is told: %v", file, list.Name, item, a.Causes)
				}
			}
		}
	}
}
