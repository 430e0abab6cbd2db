package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"rollcall.dev/rollcall/kind/host"
)

// answerTime is how long the engine may take for a question that a healthy one
// answers in milliseconds.
const answerTime = 15 * time.Second

// Info is what a reachable engine says of itself and its host.
type Info struct {
	ServerVersion  string
	CgroupVersion  string
	DefaultRuntime string
	Architecture   string
}

// CgroupV1 reports whether the nodes will see cgroup v1, with which a current
// kubelet refuses to start unless told otherwise.
func (i Info) CgroupV1() bool { return i.CgroupVersion == "1" }

// NoSysResource reports whether containers run without CAP_SYS_RESOURCE, so
// that nothing in them may lower its oom_score_adj.
func (i Info) NoSysResource() bool { return i.DefaultRuntime == runtimeName }

// errNoClient is the absence of the docker command.
var errNoClient = errors.New("the docker command is not installed")

// Ask asks the engine that the docker command reaches.
func Ask(ctx context.Context) (Info, error) {
	if _, err := exec.LookPath("docker"); err != nil {
		return Info{}, errNoClient
	}
	ctx, cancel := context.WithTimeoutCause(ctx, answerTime, fmt.Errorf("no answer within %s", answerTime))
	defer cancel()
	answer, err := host.Run(ctx, "docker", "info", "--format", "{{json .}}")
	if err != nil {
		return Info{}, err
	}
	var info Info
	if err := json.Unmarshal([]byte(answer), &info); err != nil {
		return Info{}, fmt.Errorf("docker info: %w", err)
	}
	if info.ServerVersion == "" {
		return Info{}, errors.New("docker info: the engine does not answer")
	}
	return info, nil
}

// isElsewhere returns the engine's address when the user chose one that is not
// this machine's own socket: then nothing here is ours to install or restart.
func isElsewhere(ctx context.Context) (string, bool) {
	if address := os.Getenv("DOCKER_HOST"); address != "" {
		return address, !strings.HasPrefix(address, "unix:///var/run/docker.sock") &&
			!strings.HasPrefix(address, "unix:///run/docker.sock")
	}
	name, err := host.Run(ctx, "docker", "context", "show")
	return "the context " + name, err == nil && name != "default" && name != ""
}
