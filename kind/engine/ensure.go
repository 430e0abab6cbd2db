package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"rollcall.dev/rollcall/kind/host"
)

const (
	pidFile = "/var/run/docker.pid"
	logFile = "/var/log/rollcall-dockerd.log"
)

// Options say what Ensure may do.
type Options struct {
	Setup host.Setup
	// BuildRuntime builds the OCI runtime for a host without CAP_SYS_RESOURCE
	// and returns its path. It is called only on such a host.
	BuildRuntime func(context.Context) (string, error)
}

// Ensure returns an engine that can run kind's privileged node containers: the
// one that is reachable, or one that it installs and starts. It is quick when
// there is nothing to do.
func Ensure(ctx context.Context, options Options) (Info, error) {
	info, err := Ask(ctx)
	if err == nil {
		info, err = prepareRunning(ctx, options, info)
	} else {
		info, err = replaceMissing(ctx, options, err)
	}
	if err == nil {
		raiseLimits(options.Setup, "/proc/sys")
	}
	return info, err
}

// replaceMissing brings an engine up where none answered.
func replaceMissing(ctx context.Context, options Options, err error) (Info, error) {
	if reason := whyNotOurs(ctx, options.Setup, err); reason != "" {
		return Info{}, fmt.Errorf("no container engine: %w; %s", err, reason)
	}
	return bringUp(ctx, options)
}

// whyNotOurs says why no engine may be installed or started here and what the
// user can do, or "" when it may.
func whyNotOurs(ctx context.Context, setup host.Setup, err error) string {
	const remedy = "install Docker (on Debian: apt-get install docker.io), start it, and make sure that `docker info` works"
	if !errors.Is(err, errNoClient) {
		if where, elsewhere := isElsewhere(ctx); elsewhere {
			return fmt.Sprintf("start the one that %s names, or choose another", where)
		}
	}
	switch {
	case !setup.Allowed:
		return "HOST_SETUP=no forbids to set one up: " + remedy
	case strings.Contains(err.Error(), "permission denied"):
		return "add yourself to the group docker, or run as root"
	case !host.IsRoot() || !host.IsDebian():
		return "it is set up by itself only as root on Debian: " + remedy
	}
	return ""
}

// prepareRunning gives a running engine the runtime that its host needs.
func prepareRunning(ctx context.Context, options Options, info Info) (Info, error) {
	pid := runningPID()
	if pid == "" || info.NoSysResource() || !host.LacksSysResource(pid) {
		return info, nil
	}
	if !options.Setup.Allowed || !host.IsRoot() {
		return Info{}, fmt.Errorf("this machine lacks CAP_SYS_RESOURCE, so Docker's privileged containers fail, and HOST_SETUP=no or a missing root right forbids the cure: a default runtime that does without it, see kind/known-issues.md")
	}
	if err := installRuntime(ctx, options); err != nil {
		return Info{}, err
	}
	// dockerd rereads its runtimes on SIGHUP; no container is disturbed.
	if _, err := host.Run(ctx, "kill", "-HUP", pid); err != nil {
		return Info{}, fmt.Errorf("cannot make dockerd reread %s: %w", daemonFile, err)
	}
	return awaitAnswer(ctx, func(i Info) bool { return i.NoSysResource() })
}

// bringUp installs what is missing and starts dockerd.
func bringUp(ctx context.Context, options Options) (Info, error) {
	if host.LacksSysResource("self") {
		if err := installRuntime(ctx, options); err != nil {
			return Info{}, err
		}
	}
	if err := options.Setup.EnsureProgram(ctx, "dockerd", "docker.io", 40*time.Second); err != nil {
		return Info{}, err
	}
	if err := options.Setup.EnsureProgram(ctx, "docker", "docker-cli", 10*time.Second); err != nil {
		return Info{}, err
	}
	if info, err := Ask(ctx); err == nil { // the package may have started it
		return info, nil
	}
	step := options.Setup.Progress.Start("Start the container engine", 5*time.Second)
	if err := start(ctx, options.Setup); err != nil {
		return Info{}, step.End(err)
	}
	info, err := awaitAnswer(ctx, func(Info) bool { return true })
	if err != nil {
		err = fmt.Errorf("%w; its log is %s", err, logFile)
	}
	return info, step.End(err)
}

func start(ctx context.Context, setup host.Setup) error {
	if host.HasSystemd() {
		_, err := host.Run(ctx, "systemctl", "start", "docker")
		return err
	}
	setup.Progress.Note("no systemd here: dockerd runs by itself, log %s, pid file %s", logFile, pidFile)
	return startDetached()
}

// startDetached starts a dockerd that outlives us: its own session, its own log.
func startDetached() error {
	removeStalePIDFiles()
	log, err := os.OpenFile(logFile, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o640)
	if err != nil {
		return err
	}
	defer log.Close()
	daemon := exec.Command("dockerd", "--pidfile", pidFile)
	daemon.Dir = "/"
	daemon.Stdout, daemon.Stderr = log, log
	daemon.SysProcAttr = ownSession()
	if err := daemon.Start(); err != nil {
		return fmt.Errorf("cannot start dockerd: %w", err)
	}
	return daemon.Process.Release()
}

// removeStalePIDFiles removes pid files whose number belongs to another program
// by now, as after a reboot: dockerd takes any living process for itself and
// refuses to start.
func removeStalePIDFiles() {
	for file, program := range map[string]string{
		pidFile: "dockerd",
		"/var/run/docker/containerd/containerd.pid": "containerd",
	} {
		if pid := readPID(file); pid != "" && host.CommandOf(pid) != program {
			_ = os.Remove(file)
		}
	}
}

// runningPID is the process of this machine's dockerd, or "".
func runningPID() string {
	if pid := readPID(pidFile); host.CommandOf(pid) == "dockerd" {
		return pid
	}
	return ""
}

func readPID(file string) string {
	content, _ := os.ReadFile(file)
	return strings.TrimSpace(string(content))
}

// awaitAnswer asks until the engine answers as wanted. There is nothing to
// watch: the socket exists before the engine serves it.
func awaitAnswer(ctx context.Context, wanted func(Info) bool) (Info, error) {
	const patience = 60 * time.Second
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		info, err := Ask(ctx)
		if err == nil && wanted(info) {
			return info, nil
		}
		select {
		case <-ctx.Done():
			return Info{}, fmt.Errorf("the container engine is not ready after %s: %v", patience, err)
		case <-tick.C:
		}
	}
}
