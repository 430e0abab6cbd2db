package nodeimage

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"sigs.k8s.io/kind/pkg/apis/config/defaults"

	"rollcall.dev/rollcall/kind/host"
)

// firstAnswer is how long a registry may stay silent. A machine without a way
// out may wait minutes for a connection, and this is the first thing that it
// tries.
const firstAnswer = 20 * time.Second

// candidates are the names of the published images that serve, best first. The
// release of kind that we are built with vouches for one version only; its
// image serves when the user asked for no version in particular.
func candidates(asked string) []string {
	version := asked
	if version == "" {
		version = DefaultVersion
	}
	vouched, _, _ := strings.Cut(defaults.Image, "@")
	exact := "kindest/node:" + version
	switch {
	case vouched == exact:
		return []string{defaults.Image}
	case asked == "" && minor(vouched) == minor(exact):
		return []string{exact, defaults.Image}
	default:
		return []string{exact}
	}
}

// minor is "repository:v1.37" of "repository:v1.37.2".
func minor(name string) string {
	end := strings.LastIndex(name, ".")
	return name[:max(0, end)]
}

func pullPublished(ctx context.Context, options Options, names []string) (Image, error) {
	step := options.Progress.Start("Pull kind's node image "+names[0], 60*time.Second)
	var failures []error
	for _, name := range names {
		err := pull(ctx, name)
		if err == nil {
			_ = step.End(nil)
			return Inspect(ctx, name)
		}
		failures = append(failures, err)
		if !errors.Is(err, errNotThere) {
			break // the registry is out of reach, whatever the name
		}
	}
	return Image{}, step.End(errors.Join(failures...))
}

// errNotThere is the answer of a registry that has no such image.
var errNotThere = errors.New("the registry has no such image")

func pull(ctx context.Context, name string) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	alarm := time.AfterFunc(firstAnswer, func() {
		cancel(fmt.Errorf("no answer from the registry within %s", firstAnswer))
	})
	heard := &onFirstWrite{do: func() { alarm.Stop() }}
	err := host.Command{Args: []string{"docker", "pull", name}}.Stream(ctx, heard)
	switch {
	case err == nil:
		return nil
	case isNotThere(err.Error()):
		return fmt.Errorf("%s: %w", name, errNotThere)
	default:
		return fmt.Errorf("cannot pull %s: %w", name, shorten(err))
	}
}

func isNotThere(message string) bool {
	return strings.Contains(message, "manifest unknown") || strings.Contains(message, "not found: manifest") ||
		strings.Contains(message, "manifest for ")
}

// shorten keeps the cause of an engine's error, which it puts last.
func shorten(err error) error {
	message := err.Error()
	if i := strings.LastIndex(message, "Error response from daemon: "); i >= 0 {
		return errors.New(message[i+len("Error response from daemon: "):])
	}
	return err
}

// onFirstWrite does one thing when something is first written.
type onFirstWrite struct {
	once sync.Once
	do   func()
}

func (o *onFirstWrite) Write(data []byte) (int, error) {
	o.once.Do(o.do)
	return len(data), nil
}
