package nodeimage

import (
	"context"
	"crypto/rand"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"rollcall.dev/rollcall/kind/cache"
	"rollcall.dev/rollcall/kind/host"
)

const (
	nodeRepository = "rollcall.dev/node"
	keyLabel       = "rollcall.dev/node-image-key"
	kindModule     = "sigs.k8s.io/kind"
)

//go:embed files
var ownFiles embed.FS

// ingredients are all that a built node image is made of.
type ingredients struct {
	kubernetes, tools output
	version           string
	kindFiles         string // folder of kind's own files
}

func (i ingredients) name() string { return nodeRepository + ":" + i.version }

// key names the image by its ingredients.
func (i ingredients) key() (string, error) {
	own, err := fs.Sub(ownFiles, "files")
	if err != nil {
		return "", err
	}
	inputs := []string{"node 2", rootfsName(), i.kubernetes.key, i.tools.key, i.version, i.kindFiles}
	err = fs.WalkDir(own, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(own, name)
		inputs = append(inputs, name, string(content))
		return err
	})
	return keyOf(inputs...), err
}

// gather names the ingredients without making any, apart from a copy of the
// module where another Kubernetes version needs one.
func gather(ctx context.Context, options Options) (ingredients, Module, Module, error) {
	committed, err := FindModule(options.BinariesDir)
	if err != nil {
		return ingredients{}, Module{}, Module{}, err
	}
	module, err := committed.At(ctx, options.Version)
	if err != nil {
		return ingredients{}, Module{}, Module{}, err
	}
	result := ingredients{version: options.Version}
	if result.kubernetes, err = kubernetesOutput(ctx, module); err != nil {
		return ingredients{}, Module{}, Module{}, err
	}
	if result.tools, err = toolsOutput(ctx, committed); err != nil {
		return ingredients{}, Module{}, Module{}, err
	}
	result.kindFiles, err = kindFiles(ctx)
	return result, committed, module, err
}

// kindFiles is the folder of the files that kind's base image is made of, in
// the release of kind that we are built with.
func kindFiles(ctx context.Context) (string, error) {
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return "", errors.New("this program does not know which release of kind it holds: build it with Go modules")
	}
	for _, dependency := range build.Deps {
		if dependency.Path == kindModule {
			module, err := download(ctx, kindModule+"@"+dependency.Version)
			return filepath.Join(module.Dir, "images", "base", "files"), err
		}
	}
	return "", fmt.Errorf("this program is built without %s", kindModule)
}

// builtBefore returns the image that a build would make, if the engine has it.
// Whatever is in the way of saying so is told by the build itself.
func builtBefore(ctx context.Context, options Options) (Image, bool) {
	recipe, _, _, err := gather(ctx, options)
	if err != nil {
		return Image{}, false
	}
	return current(ctx, recipe)
}

func current(ctx context.Context, recipe ingredients) (Image, bool) {
	key, err := recipe.key()
	if err != nil {
		return Image{}, false
	}
	found, err := host.Run(ctx, "docker", "image", "inspect", "--format", `{{index .Config.Labels "`+keyLabel+`"}}`, recipe.name())
	if err != nil || found != key {
		return Image{}, false
	}
	image, err := Inspect(ctx, recipe.name())
	return image, err == nil
}

// buildOffline builds what is missing, in the order of what may fail soonest.
func buildOffline(ctx context.Context, options Options) (Image, error) {
	unlock, err := cache.Lock(ctx, "lock", func() { options.Progress.Note("another build is running: waiting for it") })
	if err != nil {
		return Image{}, err
	}
	defer unlock()
	recipe, committed, module, err := gather(ctx, options)
	if err != nil {
		return Image{}, err
	}
	if image, ok := current(ctx, recipe); ok {
		return image, nil
	}
	rootfs, err := ensureRootfs(ctx, options)
	if err != nil {
		return Image{}, err
	}
	if recipe.tools, err = buildTools(ctx, options.Progress, committed); err != nil {
		return Image{}, err
	}
	if recipe.kubernetes, err = buildKubernetes(ctx, options.Progress, module); err != nil {
		return Image{}, err
	}
	step := options.Progress.Start("Assemble the node image "+recipe.name(), 60*time.Second)
	if err := assemble(ctx, recipe, rootfs); err != nil {
		return Image{}, step.End(err)
	}
	_ = step.End(nil)
	return Inspect(ctx, recipe.name())
}

// assemble fills a container and commits it as the node image.
func assemble(ctx context.Context, recipe ingredients, rootfs string) error {
	key, err := recipe.key()
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "rollcall-node-image-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	names, err := requiredImages(ctx, recipe.kubernetes, recipe.version)
	if err != nil {
		return err
	}
	box, err := startContainer(ctx, rootfs)
	if err != nil {
		return err
	}
	// An interrupted build must not leave its container behind.
	defer func() { _ = box.remove(context.WithoutCancel(ctx)) }()

	if err := box.fill(ctx, scratch, recipe); err != nil {
		return err
	}
	if err := box.importImages(ctx, scratch, recipe, names); err != nil {
		return err
	}
	return box.commit(ctx, recipe.name(), key)
}

// container is the container that becomes the node image.
type container string

func startContainer(ctx context.Context, rootfs string) (container, error) {
	box := container("rollcall-node-image-" + strings.ToLower(rand.Text()[:8]))
	_, err := host.Run(ctx, "docker", "run", "--detach", "--name", string(box),
		"--security-opt", "seccomp=unconfined", "--network", "none",
		"--stop-signal", "SIGRTMIN+3", "--env", "container=docker",
		"--entrypoint", "sleep", rootfs, "infinity")
	return box, err
}

// fill copies the files in and sets them up.
func (c container) fill(ctx context.Context, scratch string, recipe ingredients) error {
	archive := filepath.Join(scratch, "node.tar")
	if err := writeNodeFiles(archive, recipe); err != nil {
		return err
	}
	if err := c.unpack(ctx, archive); err != nil {
		return err
	}
	script, err := ownFiles.Open("files/setup.sh")
	if err != nil {
		return err
	}
	defer script.Close()
	_, err = host.Command{Args: []string{"docker", "exec", "--interactive", string(c), "bash"}, Stdin: script}.Run(ctx)
	return err
}

func (c container) unpack(ctx context.Context, archive string) error {
	file, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = host.Command{Args: []string{"docker", "exec", "--interactive", string(c), "tar", "-x", "-C", "/"}, Stdin: file}.Run(ctx)
	return err
}

// importImages puts the inner images into containerd's store, not unpacked: the
// node's own containerd unpacks them onto its volume, and the image stays small.
func (c container) importImages(ctx context.Context, scratch string, recipe ingredients, names imageNames) error {
	sandbox, err := sandboxImage(recipe.kindFiles)
	if err != nil {
		return err
	}
	images := innerImages{
		names:      names,
		kubernetes: recipe.kubernetes.path(kubernetesProgram),
		etcd:       recipe.tools.path(etcdProgram),
		pause:      recipe.tools.path(pauseProgram),
		nft:        filepath.Join(scratch, "nft.tar"),
	}
	images.names.pause = appendNew(images.names.pause, sandbox)
	if err := c.copyNft(ctx, images.nft); err != nil {
		return err
	}
	archive := filepath.Join(scratch, "images.tar")
	if err := images.write(archive, scratch); err != nil {
		return err
	}
	file, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = host.Command{Args: []string{"docker", "exec", "--interactive", string(c), "bash", "-c", importScript}, Stdin: file}.Run(ctx)
	return err
}

// importScript runs a containerd for as long as the import takes.
const importScript = `set -e
containerd >/var/log/import.log 2>&1 &
for _ in $(seq 100); do [ -S /run/containerd/containerd.sock ] && ctr version >/dev/null 2>&1 && break; sleep 0.1; done
ctr --namespace=k8s.io images import --label=io.cri-containerd.pinned=pinned --all-platforms --no-unpack --digests - || { tail -n 3 /var/log/import.log >&2; exit 1; }
kill %1
wait || true
rm -rf /var/log/import.log /run/containerd`

// copyNft writes a layer with nft and the files that it loads, taken from the root
// file system: kube-proxy calls it. Without /etc/protocols nft prints 6 where
// kube-proxy expects tcp, and a kube-proxy that restarts takes its own rules for
// leftovers of another and removes them.
func (c container) copyNft(ctx context.Context, layer string) error {
	file, err := os.Create(layer)
	if err != nil {
		return err
	}
	defer file.Close()
	const script = `nft=$(command -v nft); { echo /etc/protocols; echo "$nft"; ldd "$nft" | grep -o '/[^ ]*'; } | sort -u | tar --create --dereference --absolute-names --transform 's,^/,,' --mtime=@0 --files-from=-`
	return host.Command{Args: []string{"docker", "exec", string(c), "bash", "-o", "pipefail", "-c", script}}.Stream(ctx, file)
}

func (c container) commit(ctx context.Context, name, key string) error {
	_, err := host.Run(ctx, "docker", "commit",
		"--change", `ENTRYPOINT ["/usr/local/bin/entrypoint", "/sbin/init"]`,
		"--change", "LABEL "+keyLabel+"="+key,
		string(c), name)
	return err
}

func (c container) remove(ctx context.Context) error {
	_, err := host.Run(ctx, "docker", "rm", "--force", "--volumes", string(c))
	return err
}
