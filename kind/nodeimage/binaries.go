package nodeimage

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"rollcall.dev/rollcall/kind/cache"
	"rollcall.dev/rollcall/kind/host"
	"rollcall.dev/rollcall/kind/progress"
)

// The programs of a node, below the folders that buildKubernetes and buildTools
// return. etcd's main package ends in a version, so Go names it by its folder.
const (
	kubernetesProgram = "kubernetes"
	etcdProgram       = "server"
	pauseProgram      = "pause"
)

var (
	runtimePrograms = []string{"containerd", "containerd-shim-runc-v2", "ctr", "crictl"}
	networkPrograms = []string{"host-local", "loopback", "portmap", "ptp"}
)

// output is a folder of built programs and the key of what they are built from.
type output struct{ dir, key string }

func (o output) path(program string) string { return filepath.Join(o.dir, program) }

// kubernetesOutput is where the multi-call binary goes.
func kubernetesOutput(ctx context.Context, module Module) (output, error) {
	return outputOf(ctx, module, "kubernetes-"+module.KubernetesVersion, "kubernetes")
}

// toolsOutput is where all else goes. It does not depend on the Kubernetes
// version: the committed module builds it for all.
func toolsOutput(ctx context.Context, committed Module) (output, error) {
	return outputOf(ctx, committed, "tools", "pause")
}

func outputOf(ctx context.Context, module Module, name string, folder string) (output, error) {
	dir, err := cache.Dir("bin", name)
	if err != nil {
		return output{}, err
	}
	compiler, err := host.Command{Args: []string{"go", "env", "GOVERSION"}, Dir: module.Dir}.Run(ctx)
	if err != nil {
		return output{}, fmt.Errorf("building needs Go: %w", err)
	}
	content, err := contentOf(filepath.Join(module.Dir, "go.mod"), filepath.Join(module.Dir, "go.sum"), filepath.Join(module.Dir, folder))
	return output{dir: dir, key: keyOf(compiler, runtime.GOARCH, module.linkFlags(), buildTags, content)}, err
}

func buildKubernetes(ctx context.Context, progress *progress.Printer, module Module) (output, error) {
	result, err := kubernetesOutput(ctx, module)
	if err != nil || isCurrent(result.dir, result.key) {
		return result, err
	}
	// 30 CPU-minutes from a cold build cache; seconds from a warm one.
	step := progress.Start("Build Kubernetes "+module.KubernetesVersion, 30*time.Minute/time.Duration(runtime.NumCPU()))
	return result, step.End(makeCurrent(result.dir, result.key, func() error {
		return module.buildLogged(ctx, result.path(kubernetesProgram), "./kubernetes")
	}))
}

func buildTools(ctx context.Context, progress *progress.Printer, committed Module) (output, error) {
	result, err := toolsOutput(ctx, committed)
	if err != nil || isCurrent(result.dir, result.key) {
		return result, err
	}
	step := progress.Start("Build containerd, etcd, crictl and the CNI plugins", 7*time.Minute/time.Duration(runtime.NumCPU()))
	return result, step.End(makeCurrent(result.dir, result.key, func() error {
		return committed.buildLogged(ctx, result.dir+string(filepath.Separator), "tool", "./pause")
	}))
}

// BuildRuntime builds the OCI runtime for a host without CAP_SYS_RESOURCE and
// returns its path.
func BuildRuntime(ctx context.Context, binariesDir string) (string, error) {
	module, err := FindModule(binariesDir)
	if err != nil {
		return "", err
	}
	dir, err := cache.Dir("bin")
	if err != nil {
		return "", err
	}
	program := filepath.Join(dir, "runtime")
	return program, module.Build(ctx, nil, program, "./runtime")
}

// buildLogged builds with the compiler's output kept in a file, for a failure
// has more to say than fits one line.
func (m Module) buildLogged(ctx context.Context, output string, packages ...string) error {
	dir, err := cache.Dir("log")
	if err != nil {
		return err
	}
	log, err := os.Create(filepath.Join(dir, "go-build.log"))
	if err != nil {
		return err
	}
	defer log.Close()
	if err := m.Build(ctx, log, output, packages...); err != nil {
		return fmt.Errorf("%w (all of it: %s)", err, log.Name())
	}
	return nil
}
