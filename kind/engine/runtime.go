package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

const (
	runtimeName = "runc-without-sys-resource"
	runtimeFile = "/usr/local/libexec/rollcall/" + runtimeName
	daemonFile  = "/etc/docker/daemon.json"
)

// installRuntime puts the runtime in its place and names it in daemon.json. It
// survives the removal of the build cache, as containers need it to stop.
func installRuntime(ctx context.Context, options Options) error {
	step := options.Setup.Progress.Start("This machine lacks CAP_SYS_RESOURCE: give Docker a runtime that does without it", 5*time.Second)
	return step.End(placeRuntime(ctx, options))
}

func placeRuntime(ctx context.Context, options Options) error {
	built, err := options.BuildRuntime(ctx)
	if err != nil {
		return err
	}
	program, err := os.ReadFile(built)
	if err != nil {
		return err
	}
	if err := replaceFile(runtimeFile, program, 0o755); err != nil {
		return err
	}
	present, err := os.ReadFile(daemonFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	merged, err := mergeDaemonConfig(present)
	if err != nil {
		return fmt.Errorf("%s: %w", daemonFile, err)
	}
	return replaceFile(daemonFile, merged, 0o644)
}

// mergeDaemonConfig adds the runtime to a daemon.json and keeps all else that
// it holds. A default runtime that the user chose is not ours to replace: that
// is an error.
func mergeDaemonConfig(present []byte) ([]byte, error) {
	config := map[string]any{}
	if len(present) > 0 {
		if err := json.Unmarshal(present, &config); err != nil {
			return nil, err
		}
	}
	if chosen, ok := config["default-runtime"].(string); ok && chosen != runtimeName && chosen != "runc" {
		return nil, fmt.Errorf("default-runtime is %q there, but on this machine kind needs %q (%s): add it yourself", chosen, runtimeName, runtimeFile)
	}
	runtimes, _ := config["runtimes"].(map[string]any)
	if runtimes == nil {
		runtimes = map[string]any{}
	}
	runtimes[runtimeName] = map[string]any{"path": runtimeFile}
	config["runtimes"] = runtimes
	config["default-runtime"] = runtimeName
	merged, err := json.MarshalIndent(config, "", "  ")
	return append(merged, '\n'), err
}

// replaceFile writes a file so that a reader sees the old one or the new one.
// A running program of that name is not disturbed.
func replaceFile(name string, content []byte, mode os.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	fresh := name + ".new"
	if err := os.WriteFile(fresh, content, mode); err != nil {
		return err
	}
	return os.Rename(fresh, name)
}
