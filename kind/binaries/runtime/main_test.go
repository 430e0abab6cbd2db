package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestCreateDropsTheCapability(t *testing.T) {
	bundle := t.TempDir()
	config := filepath.Join(bundle, "config.json")
	write(t, config, `{"process":{"capabilities":{"bounding":["CAP_CHOWN","CAP_SYS_RESOURCE"]},"rlimits":[{"hard":18446744073709551615}]}}`)

	if err := edit([]string{"--root", "/run", "create", "--bundle", bundle, "--pid-file", "x", "id"}); err != nil {
		t.Fatal(err)
	}
	want := `{"process":{"capabilities":{"bounding":["CAP_CHOWN"]},"rlimits":[{"hard":18446744073709551615}]}}`
	if got := read(t, config); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestExecDropsTheCapability(t *testing.T) {
	process := filepath.Join(t.TempDir(), "process.json")
	write(t, process, `{"capabilities":{"effective":["CAP_SYS_RESOURCE"]},"cwd":"/"}`)

	if err := edit([]string{"exec", "--process=" + process, "id"}); err != nil {
		t.Fatal(err)
	}
	if got, want := read(t, process), `{"capabilities":{"effective":[]},"cwd":"/"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestOtherCommandsChangeNothing(t *testing.T) {
	for _, args := range [][]string{{"state", "id"}, {"exec", "id", "true"}, {"--version"}, nil} {
		if err := edit(args); err != nil {
			t.Errorf("%v: %v", args, err)
		}
	}
}

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
