package nodeimage

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"

	"rollcall.dev/rollcall/kind/cache"
	"rollcall.dev/rollcall/kind/host"
)

const kubernetesModule = "k8s.io/kubernetes"

// Module is the module kind/binaries, from which the programs of a node are
// built, set to one Kubernetes version.
type Module struct {
	Dir               string
	KubernetesVersion string
}

// FindModule returns the committed module. dir may name it; empty means to look
// above the working directory and above the running program.
func FindModule(dir string) (Module, error) {
	if dir == "" {
		var err error
		if dir, err = searchModule(); err != nil {
			return Module{}, err
		}
	}
	file, err := readGoMod(filepath.Join(dir, "go.mod"))
	if err != nil {
		return Module{}, fmt.Errorf("%s is not the module kind/binaries: %w", dir, err)
	}
	version := requiredVersion(file, kubernetesModule)
	if version == "" {
		return Module{}, fmt.Errorf("%s does not require %s", dir, kubernetesModule)
	}
	return Module{Dir: dir, KubernetesVersion: version}, nil
}

func searchModule() (string, error) {
	var starts []string
	if dir, err := os.Getwd(); err == nil {
		starts = append(starts, dir)
	}
	if program, err := os.Executable(); err == nil {
		starts = append(starts, filepath.Dir(program))
	}
	for _, start := range starts {
		for dir := start; ; dir = filepath.Dir(dir) {
			candidate := filepath.Join(dir, "kind", "binaries")
			if _, err := os.Stat(filepath.Join(candidate, "kubernetes", "main.go")); err == nil {
				return candidate, nil
			}
			if dir == filepath.Dir(dir) {
				break
			}
		}
	}
	return "", errors.New("the sources of the node's programs are not found: run this in a checkout of rollcall, or name its folder kind/binaries with --binaries-dir")
}

// At returns the module set to a Kubernetes version: itself, or a copy of the
// part that builds Kubernetes, kept in the cache, with the go.mod that this
// version needs.
func (m Module) At(ctx context.Context, version string) (Module, error) {
	if version == m.KubernetesVersion {
		return m, nil
	}
	dir, err := cache.Dir("src", version)
	if err != nil {
		return Module{}, err
	}
	copied := Module{Dir: dir, KubernetesVersion: version}
	key, err := m.copyKey(version)
	if err != nil || isCurrent(dir, key) {
		return copied, err
	}
	return copied, makeCurrent(dir, key, func() error { return m.copyTo(ctx, copied) })
}

func (m Module) copyKey(version string) (string, error) {
	content, err := contentOf(filepath.Join(m.Dir, "go.mod"), filepath.Join(m.Dir, "kubernetes"))
	return keyOf("copy 1", version, content), err
}

func (m Module) copyTo(ctx context.Context, copied Module) error {
	source := filepath.Join(copied.Dir, "kubernetes")
	if err := os.RemoveAll(source); err != nil {
		return err
	}
	if err := os.CopyFS(source, os.DirFS(filepath.Join(m.Dir, "kubernetes"))); err != nil {
		return err
	}
	upstream, err := upstreamGoMod(ctx, copied.KubernetesVersion)
	if err != nil {
		return err
	}
	committed, err := os.ReadFile(filepath.Join(m.Dir, "go.mod"))
	if err != nil {
		return err
	}
	rewritten, err := rewriteGoMod(committed, upstream, copied.KubernetesVersion)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(copied.Dir, "go.mod"), rewritten, 0o644); err != nil {
		return err
	}
	_, err = host.Command{Args: []string{"go", "mod", "tidy"}, Dir: copied.Dir}.Run(ctx)
	return err
}

// rewriteGoMod sets the committed go.mod to another Kubernetes version. What
// Kubernetes itself requires comes from its own go.mod, by way of `go mod tidy`
// afterwards, so all indirect requirements and the tools go.
func rewriteGoMod(committed, upstream []byte, version string) ([]byte, error) {
	file, err := modfile.Parse("go.mod", committed, nil)
	if err != nil {
		return nil, err
	}
	kubernetes, err := modfile.Parse("go.mod", upstream, nil)
	if err != nil {
		return nil, err
	}
	staged := stagingModules(kubernetes)
	if len(staged) == 0 {
		return nil, fmt.Errorf("%s %s has no staging modules", kubernetesModule, version)
	}
	for _, tool := range file.Tool {
		if err := file.DropTool(tool.Path); err != nil {
			return nil, err
		}
	}
	for _, require := range file.Require {
		if err := rewriteRequire(file, require, staged, version); err != nil {
			return nil, err
		}
	}
	for _, replace := range file.Replace {
		if err := file.DropReplace(replace.Old.Path, replace.Old.Version); err != nil {
			return nil, err
		}
	}
	file.Cleanup()
	for _, path := range staged {
		if err := file.AddReplace(path, "", path, stagingVersion(version)); err != nil {
			return nil, err
		}
	}
	return file.Format()
}

func rewriteRequire(file *modfile.File, require *modfile.Require, staged []string, version string) error {
	switch path := require.Mod.Path; {
	case require.Indirect:
		return file.DropRequire(path)
	case path == kubernetesModule:
		return file.AddRequire(path, version)
	default:
		for _, staging := range staged {
			if path == staging {
				return file.AddRequire(path, stagingVersion(version))
			}
		}
		return nil
	}
}

// stagingModules are the modules that Kubernetes keeps in its own tree and
// publishes under v0 versions.
func stagingModules(kubernetes *modfile.File) []string {
	var staged []string
	for _, replace := range kubernetes.Replace {
		if strings.HasPrefix(replace.New.Path, "./staging/") {
			staged = append(staged, replace.Old.Path)
		}
	}
	return staged
}

// stagingVersion is the version of the staging modules of a Kubernetes version.
func stagingVersion(version string) string { return "v0" + strings.TrimPrefix(version, "v1") }

func upstreamGoMod(ctx context.Context, version string) ([]byte, error) {
	module, err := download(ctx, kubernetesModule+"@"+version)
	if err != nil {
		return nil, fmt.Errorf("no Kubernetes %s: %w", version, err)
	}
	return os.ReadFile(module.GoMod)
}

// downloaded is what `go mod download -json` says of a module.
type downloaded struct{ Dir, GoMod, Error string }

// download puts a module into the module cache. It needs no go.mod of its own.
func download(ctx context.Context, module string) (downloaded, error) {
	var answer downloaded
	output, err := host.Command{Args: []string{"go", "mod", "download", "-json", module}, Dir: os.TempDir()}.Run(ctx)
	if jsonErr := json.Unmarshal([]byte(output), &answer); jsonErr == nil && answer.Error != "" {
		return answer, errors.New(strings.Join(strings.Fields(answer.Error), " "))
	} else if err == nil {
		err = jsonErr
	}
	return answer, err
}

func readGoMod(name string) (*modfile.File, error) {
	content, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return modfile.Parse(name, content, nil)
}

func requiredVersion(file *modfile.File, path string) string {
	for _, require := range file.Require {
		if require.Mod.Path == path {
			return require.Mod.Version
		}
	}
	return ""
}

// buildTags leave out what needs C headers and no node uses.
const buildTags = "no_btrfs,no_devmapper,no_zfs"

// Build builds packages of the module into a file, or into a folder if output
// ends with a slash. packages may hold "tool", which stands for all tools of the
// module. Every build that means to share compiled packages goes through here.
func (m Module) Build(ctx context.Context, log io.Writer, output string, packages ...string) error {
	_, err := host.Command{Args: append(m.buildArgs(output), packages...), Dir: m.Dir, Env: []string{"CGO_ENABLED=0"}, Log: log}.Run(ctx)
	return err
}

func (m Module) buildArgs(output string) []string {
	return []string{"go", "build", "-trimpath", "-tags", buildTags, "-ldflags", m.linkFlags(), "-o", output}
}

// linkFlags strip the binaries and put the version where Kubernetes looks for
// it.
func (m Module) linkFlags() string {
	flags := []string{"-s", "-w"}
	minor := versionPattern.FindStringSubmatch(m.KubernetesVersion)
	for _, path := range []string{"k8s.io/component-base/version", "k8s.io/client-go/pkg/version"} {
		flags = append(flags, "-X "+path+".gitVersion="+m.KubernetesVersion)
		if minor != nil {
			flags = append(flags, "-X "+path+".gitMajor=1", "-X "+path+".gitMinor="+minor[1])
		}
		flags = append(flags, "-X "+path+".gitTreeState=clean")
	}
	return strings.Join(flags, " ")
}
