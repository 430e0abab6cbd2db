package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rollcall.dev/rollcall/kind/host"
	"rollcall.dev/rollcall/kind/progress"
)

func TestLowLimitIsNamedWhenItMayNotBeRaised(t *testing.T) {
	sys := t.TempDir()
	limit := kernelLimits[0]
	if err := os.MkdirAll(filepath.Dir(limit.path(sys)), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(limit.path(sys), []byte("128\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	raiseLimits(host.Setup{Allowed: false, Progress: progress.New(&out)}, sys)
	if !strings.Contains(out.String(), "sysctl -w fs.inotify.max_user_instances=512") {
		t.Errorf("got %q", out.String())
	}
	if present, low := limit.tooLow(sys); !low || present != 128 {
		t.Errorf("the limit was changed without permission: %d", present)
	}
}

func TestMachineWithoutLimitsIsLeftAlone(t *testing.T) {
	var out strings.Builder
	raiseLimits(host.Setup{Allowed: true, Progress: progress.New(&out)}, t.TempDir())
	if out.Len() > 0 {
		t.Errorf("got %q", out.String())
	}
}
