package nodeimage

import (
	"context"
	"fmt"
	"regexp"
	"slices"

	"rollcall.dev/rollcall/kind/host"
	"rollcall.dev/rollcall/kind/progress"
)

// DefaultVersion is the Kubernetes version of a cluster for which none is asked.
const DefaultVersion = "v1.37.2"

// Source says where a node image may come from.
type Source string

const (
	// Auto takes a current image that is there, else kind's published one, else
	// builds.
	Auto Source = "auto"
	// Pull takes kind's published image and nothing else.
	Pull Source = "pull"
	// Build builds and asks no registry.
	Build Source = "build"
)

// Options say which node image is wanted.
type Options struct {
	// Version is the Kubernetes version, such as v1.37.2. Left empty it is
	// DefaultVersion, and a published image of the same minor version serves.
	Version string
	Source  Source
	// BinariesDir is the module kind/binaries of a checkout; empty means to look
	// for it above the working directory and above the program.
	BinariesDir string
	Setup       host.Setup
	Progress    *progress.Printer
}

// Image is a node image that the engine holds.
type Image struct {
	Name string // a name to run it by
	ID   string // "sha256:…", its identity
	// Offline is true for an image built here: it has no CNI daemon, no cluster
	// DNS, and a kube-proxy that speaks nftables only.
	Offline bool
}

var versionPattern = regexp.MustCompile(`^v1\.([0-9]+)\.[0-9]+$`)

// Validate says what is wrong with the options as they are written.
func (o Options) Validate() error {
	if o.Version != "" && !versionPattern.MatchString(o.Version) {
		return fmt.Errorf("%q is not a Kubernetes version such as %s", o.Version, DefaultVersion)
	}
	if !slices.Contains([]Source{"", Auto, Pull, Build}, o.Source) {
		return fmt.Errorf("%q is not a source of node images: auto, pull or build", o.Source)
	}
	return nil
}

// Ensure returns a node image of the wanted version from the wanted source.
func Ensure(ctx context.Context, options Options) (Image, error) {
	if err := options.Validate(); err != nil {
		return Image{}, err
	}
	wanted := options
	if wanted.Version == "" {
		wanted.Version = DefaultVersion
	}
	switch options.Source {
	case Pull:
		return pullPublished(ctx, wanted, candidates(options.Version))
	case Build:
		return buildOffline(ctx, wanted)
	default:
		return choose(ctx, wanted, candidates(options.Version))
	}
}

func choose(ctx context.Context, options Options, published []string) (Image, error) {
	for _, name := range published {
		if image, err := Inspect(ctx, name); err == nil {
			return image, nil
		}
	}
	if image, ok := builtBefore(ctx, options); ok {
		return image, nil
	}
	image, pullErr := pullPublished(ctx, options, published)
	if pullErr == nil {
		return image, nil
	}
	options.Progress.Note("no published node image (%v): building one here", pullErr)
	image, err := buildOffline(ctx, options)
	if err != nil {
		return Image{}, fmt.Errorf("kind's published node image cannot be pulled, and none can be built here: %w", err)
	}
	return image, nil
}

// Inspect describes a node image that the engine holds.
func Inspect(ctx context.Context, name string) (Image, error) {
	answer, err := host.Run(ctx, "docker", "image", "inspect", "--format", `{{.Id}} {{index .Config.Labels "`+keyLabel+`"}}`, name)
	if err != nil {
		return Image{}, err
	}
	var id, key string
	_, _ = fmt.Sscan(answer, &id, &key)
	return Image{Name: name, ID: id, Offline: key != ""}, nil
}
