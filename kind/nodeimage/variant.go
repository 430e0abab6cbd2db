package nodeimage

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"golang.org/x/mod/modfile"

	"rollcall.dev/rollcall/kind/cache"
	"rollcall.dev/rollcall/kind/progress"
)

// Variant is a change to the source of Kubernetes, and a name for what is built
// with it.
type Variant struct {
	// Name tells its files from those of other variants.
	Name string
	// Inputs is all that the change is made of, so that a variant that has not
	// changed is not built again.
	Inputs string
	// Staging lists the modules of Kubernetes' staging area that are changed too.
	// They are copied to where Kubernetes' repository has them.
	Staging []string
	// Added lists modules that Change adds to the staging area.
	Added []string
	// Change changes the copy of Kubernetes in a folder.
	Change func(source string) error
}

// Built is a multi-call binary, and the key of what it was built from.
type Built struct{ Path, Key string }

// BuildVariant builds the multi-call binary from a changed copy of Kubernetes.
// What the change leaves alone comes out of Go's build cache: with -trimpath a
// package of the copy is the same as that of the module.
func (m Module) BuildVariant(ctx context.Context, printer *progress.Printer, variant Variant) (Built, error) {
	name := m.KubernetesVersion + "-" + variant.Name
	unlock, err := cache.Lock(ctx, "lock-"+name, func() { printer.Note("another build of it is running: waiting for it") })
	if err != nil {
		return Built{}, err
	}
	defer unlock()
	plain, err := kubernetesOutput(ctx, m)
	if err != nil {
		return Built{}, err
	}
	result := output{key: keyOf("variant 1", plain.key, variant.Inputs)}
	if result.dir, err = cache.Dir("bin", "kubernetes-"+name); err != nil {
		return Built{}, err
	}
	built := Built{Path: result.path(kubernetesProgram), Key: result.key}
	if isCurrent(result.dir, result.key) {
		return built, nil
	}
	// 30 CPU-minutes where the ordinary node image was never built here.
	step := printer.Start("Build Kubernetes "+name, 3*time.Minute/time.Duration(runtime.NumCPU()))
	return built, step.End(makeCurrent(result.dir, result.key, func() error {
		return m.buildVariant(ctx, name, variant, built.Path)
	}))
}

func (m Module) buildVariant(ctx context.Context, name string, variant Variant, program string) error {
	dir, err := cache.Dir("src", name)
	if err != nil {
		return err
	}
	source := filepath.Join(dir, "kubernetes")
	if err := m.copySources(ctx, source, variant.Staging); err != nil {
		return err
	}
	if err := variant.Change(source); err != nil {
		return err
	}
	file := filepath.Join(dir, "go.mod")
	if err := m.writeModFile(file, source, variant); err != nil {
		return err
	}
	return m.buildLogged(ctx, program, "-modfile="+file, "./kubernetes")
}

// copySources copies Kubernetes and modules of its staging area out of the module
// cache: Go refuses changes beneath it. The copy is made anew for each build, as
// it may hold an older change.
func (m Module) copySources(ctx context.Context, to string, modules []string) error {
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	if err := copyModule(ctx, kubernetesModule+"@"+m.KubernetesVersion, to); err != nil {
		return err
	}
	for _, module := range modules {
		if err := copyModule(ctx, module+"@"+stagingVersion(m.KubernetesVersion), stagingDir(to, module)); err != nil {
			return err
		}
	}
	return nil
}

func copyModule(ctx context.Context, module, to string) error {
	found, err := download(ctx, module)
	if err != nil {
		return fmt.Errorf("no %s: %w", module, err)
	}
	return os.CopyFS(to, os.DirFS(found.Dir))
}

// stagingDir is where Kubernetes' repository keeps a module of its staging area.
func stagingDir(source, module string) string {
	return filepath.Join(source, "staging", "src", filepath.FromSlash(module))
}

// writeModFile writes the module's go.mod with what was copied in place of the
// originals, and the go.sum that Go expects beside it.
func (m Module) writeModFile(name, source string, variant Variant) error {
	file, err := readGoMod(filepath.Join(m.Dir, "go.mod"))
	if err != nil {
		return err
	}
	content, err := replaceSources(file, source, variant)
	if err != nil {
		return err
	}
	if err := os.WriteFile(name, content, 0o644); err != nil {
		return err
	}
	sums, err := os.ReadFile(filepath.Join(m.Dir, "go.sum"))
	if err != nil {
		return err
	}
	return os.WriteFile(name[:len(name)-len(".mod")]+".sum", sums, 0o644)
}

func replaceSources(file *modfile.File, source string, variant Variant) ([]byte, error) {
	if err := file.AddReplace(kubernetesModule, "", source, ""); err != nil {
		return nil, err
	}
	for _, module := range slices.Concat(variant.Staging, variant.Added) {
		if err := file.AddReplace(module, "", stagingDir(source, module), ""); err != nil {
			return nil, err
		}
	}
	for _, module := range variant.Added {
		if err := file.AddRequire(module, "v0.0.0"); err != nil {
			return nil, err
		}
	}
	return file.Format()
}
