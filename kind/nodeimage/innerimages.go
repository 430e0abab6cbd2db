package nodeimage

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"

	"rollcall.dev/rollcall/kind/host"
)

// components are the names by which the multi-call binary is called inside the
// image that kubeadm's static Pods and the kube-proxy DaemonSet run.
var components = []string{"kube-apiserver", "kube-controller-manager", "kube-scheduler", "kube-proxy"}

// imageNames sorts the names that kubeadm wants by what is behind them. DNS is
// left out: the cluster is made without it.
type imageNames struct{ kubernetes, etcd, pause []string }

// requiredImages asks the built kubeadm.
func requiredImages(ctx context.Context, kubernetes output, version string) (imageNames, error) {
	kubeadm := filepath.Join(kubernetes.dir, "kubeadm")
	if err := os.Symlink(kubernetesProgram, kubeadm); err != nil && !os.IsExist(err) {
		return imageNames{}, err
	}
	list, err := host.Run(ctx, kubeadm, "config", "images", "list", "--kubernetes-version", version)
	if err != nil {
		return imageNames{}, err
	}
	return sortImages(strings.Fields(list)), nil
}

func sortImages(list []string) imageNames {
	var names imageNames
	for _, image := range list {
		repository, _, _ := strings.Cut(image[strings.LastIndex(image, "/")+1:], ":")
		switch {
		case repository == "etcd":
			names.etcd = append(names.etcd, image)
		case repository == "pause":
			names.pause = append(names.pause, image)
		case strings.HasPrefix(repository, "kube-"):
			names.kubernetes = append(names.kubernetes, image)
		}
	}
	return names
}

// innerImages are the images inside the node, in one archive as `docker save`
// writes it. The four Kubernetes components are one image under four names, so
// a node stores and unpacks their binary once.
type innerImages struct {
	names      imageNames
	kubernetes string // path of the multi-call binary
	etcd       string // path of etcd
	pause      string // path of pause
	nft        string // path of a layer with nft and its libraries, for kube-proxy
}

// write makes the archive at path. scratch is a folder for the layers.
func (i innerImages) write(path, scratch string) error {
	tool, err := tarball.LayerFromFile(i.nft)
	if err != nil {
		return err
	}
	kubernetes, err := programLayer(filepath.Join(scratch, "kubernetes.tar"), i.kubernetes, kubernetesProgram, components...)
	if err != nil {
		return err
	}
	etcd, err := programLayer(filepath.Join(scratch, "etcd.tar"), i.etcd, "etcd")
	if err != nil {
		return err
	}
	pause, err := programLayer(filepath.Join(scratch, "pause.tar"), i.pause, "pause")
	if err != nil {
		return err
	}
	images := map[name.Reference]v1.Image{}
	for _, each := range []struct {
		names      []string
		entrypoint []string
		layers     []v1.Layer
	}{
		{i.names.kubernetes, nil, []v1.Layer{tool, kubernetes}},
		{i.names.etcd, nil, []v1.Layer{etcd}},
		{i.names.pause, []string{programDir + "/pause"}, []v1.Layer{pause}},
	} {
		image, err := imageOf(each.entrypoint, each.layers...)
		if err != nil {
			return err
		}
		for _, imageName := range each.names {
			reference, err := name.ParseReference(imageName)
			if err != nil {
				return err
			}
			images[reference] = image
		}
	}
	return tarball.MultiRefWriteToFile(path, images)
}

// programDir is where the manifests of kubeadm expect the components.
const programDir = "/usr/local/bin"

func programLayer(archive, source, program string, links ...string) (v1.Layer, error) {
	file, err := os.Create(archive)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if err := writeProgram(file, source, program, links); err != nil {
		return nil, fmt.Errorf("layer of %s: %w", program, err)
	}
	return tarball.LayerFromFile(archive, tarball.WithCompressedCaching)
}

func writeProgram(out io.Writer, source, program string, links []string) error {
	archive := newArchiveWriter(out)
	if err := archive.file(programDir[1:]+"/"+program, source, 0o755); err != nil {
		return err
	}
	for _, link := range links {
		if err := archive.link(programDir[1:]+"/"+link, program); err != nil {
			return err
		}
	}
	return archive.close()
}

func imageOf(entrypoint []string, layers ...v1.Layer) (v1.Image, error) {
	base, err := mutate.ConfigFile(empty.Image, &v1.ConfigFile{
		OS:           "linux",
		Architecture: runtime.GOARCH,
		RootFS:       v1.RootFS{Type: "layers"},
		Config: v1.Config{
			Env:        []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"},
			Entrypoint: entrypoint,
		},
	})
	if err != nil {
		return nil, err
	}
	return mutate.AppendLayers(base, layers...)
}
